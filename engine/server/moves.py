"""Moves of instances: they may take as long as a model thinks, so they have threads of their own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from engine.server.errors import Busy
from engine.server.problems import OURS

T = TypeVar("T")
AT_ONCE: Final = 64
"""How many instances are moved at a time."""
_WAITING: Final = 256
_SOON: Final = 0.2
"""Seconds that somebody who does not want to wait is kept, to learn of what goes wrong at once."""
_log = logging.getLogger(__name__)


class Moves:
    """Runs them beside the handlers that only look, which never wait for them."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._limiter = CapacityLimiter(at_once)
        self._going: set[asyncio.Task[None]] = set()

    async def run(self, move: Callable[[], T]) -> T:
        """What it gives. Raises Busy where too many wait already, and what the move raises."""
        if self._limiter.statistics().tasks_waiting > _WAITING:
            raise Busy
        return await run_sync(move, limiter=self._limiter)

    async def begin(self, instance: str, move: Callable[[], None]) -> None:
        """Let it run by itself. What it raises at once is raised, what it raises later is logged."""
        task = asyncio.create_task(self.run(move))
        done, _ = await asyncio.wait({task}, timeout=_SOON)
        if done:
            task.result()
            return
        self._going.add(task)
        task.add_done_callback(self._going.discard)
        task.add_done_callback(lambda ended: _tell(instance, ended))


def _tell(instance: str, ended: asyncio.Task[None]) -> None:
    error = None if ended.cancelled() else ended.exception()
    if error is not None:
        _log.error("instance %s: %s", instance, error, exc_info=None if isinstance(error, OURS) else error)
