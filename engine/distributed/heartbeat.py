"""Says that a worker lives, and notices when the others think it does not."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from engine.store.errors import StoreUnavailable
from engine.store.workers import WorkerTable

_CLOCK: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""Goes on while the machine sleeps, where the system has such a clock."""

Silent = Callable[[float], None]


class Heartbeat:
    """The heartbeat of one worker. `buried` is called, with the seconds of silence, when it was taken for dead."""

    def __init__(self, workers: WorkerTable, id: str, beat: float, buried: Silent) -> None:
        self._workers, self._id, self._beat, self._buried = workers, id, beat, buried
        self._last, self._recovered = time.clock_gettime(_CLOCK), float("-inf")
        self._failing = False

    def beat(self) -> None:
        """One beat; a database that is away hears the next one."""
        try:
            lives = self._workers.beat(self._id)
        except StoreUnavailable:
            self._failing = True
            return
        if not lives:
            self._buried(self._silence())
        self._last = time.clock_gettime(_CLOCK)
        if self._failing:
            self._failing, self._recovered = False, self._last

    def require(self) -> None:
        """For who has just done something: after a long silence see whether it still counts."""
        if self._silence() > 2 * self._beat:
            self.beat()

    @property
    def settled(self) -> bool:
        """Whether the silence of others means something: after an outage of the database they are to be heard first."""
        return not self._failing and time.clock_gettime(_CLOCK) - self._recovered > 3 * self._beat

    def _silence(self) -> float:
        return time.clock_gettime(_CLOCK) - self._last
