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

    async def begin(self, instance: str, move: Callable[[], None], stored: asyncio.Event) -> None:
        """Let it run by itself once the instance is `stored`. What it raises before is raised, what later is logged."""
        task, waiting = asyncio.create_task(self.run(move)), asyncio.create_task(stored.wait())
        await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if task.done():
            task.result()
            return
        self._going.add(task)
        task.add_done_callback(self._going.discard)
        task.add_done_callback(lambda ended: _tell(instance, ended))


def _tell(instance: str, ended: asyncio.Task[None]) -> None:
    error = None if ended.cancelled() else ended.exception()
    if error is not None:
        _log.error("instance %s: %s", instance, error, exc_info=None if isinstance(error, OURS) else error)
