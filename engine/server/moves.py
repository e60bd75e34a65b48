"""Moves of instances: they may take as long as a model thinks, so they have threads of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from engine.server.errors import Busy

T = TypeVar("T")
AT_ONCE: Final = 64
"""How many instances are moved at a time."""
_WAITING: Final = 256


class Moves:
    """Runs them beside the handlers that only look, which never wait for them."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._limiter = CapacityLimiter(at_once)

    async def run(self, move: Callable[[], T]) -> T:
        """What it gives. Raises Busy where too many wait already, and what the move raises."""
        if self._limiter.statistics().tasks_waiting > _WAITING:
            raise Busy
        return await run_sync(move, limiter=self._limiter)
