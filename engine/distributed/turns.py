"""What a worker does with an instance it gets: moves it to its next wait state, whatever comes between."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from threading import Event, Lock, local
from typing import Any, Final

from engine.governor import Governor
from engine.refused import AtWorkElsewhere, NotMovable
from engine.store.dispatch import DispatchTable
from engine.store.errors import NewerInstance, StoreUnavailable, UnknownInstance, VersionConflict
from governance.ports import Clock

_RETRIES: Final = (1.0, 5.0, 25.0, 125.0)
"""Seconds until an instance that could not be moved is tried again; then it is left alone until somebody moves it."""
_WAITS: Final = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Seconds between tries while the database is away."""
_LOOK_AGAIN: Final = 5.0
"""Seconds until an instance is looked at again that a program, which is no worker, is at: that may die meanwhile."""
_MOST_CONFLICTS: Final = 100
_PAGE: Final = 500


RetryIn = Callable[[int], float | None]


def _retry_in(attempts: int) -> float | None:
    return _RETRIES[attempts - 1] if attempts <= len(_RETRIES) else None


class End(Enum):
    """How an instance was left: as far as it goes; for whoever comes next; or it is not ours to say."""

    DONE = "done"
    BACK = "back"
    LOST = "lost"


class Turns:
    """Moves instances, each on the thread it is called on. `open_governor` is called once for each thread.

    `require_alive` is called when an instance was moved, and whenever the right to write to one was lost.
    """

    def __init__(
        self,
        open_governor: Callable[[], Governor],
        table: DispatchTable,
        require_alive: Callable[[], None],
        stop: Event,
        clock: Clock,
        tell: Callable[[str], None],
    ) -> None:
        self._open, self._table, self._require_alive = open_governor, table, require_alive
        self._stop, self._clock, self._tell = stop, clock, tell
        self._own, self._lock = local(), Lock()
        self._running: set[str] = set()
        self._ended: dict[End, list[str]] = {end: [] for end in End}

    def run(self, ticket: str, instance: str) -> None:
        """Move an instance. Does not raise."""
        with self._lock:
            self._running.add(ticket)
        try:
            end = self._move(ticket, instance)
            self._require_alive()
            with self._lock:
                self._ended[end].append(ticket)
        finally:
            with self._lock:
                self._running.discard(ticket)

    @property
    def running(self) -> int:
        """How many instances are being moved."""
        with self._lock:
            return len(self._running)

    def settle(self) -> None:
        """Tell the table which instances this worker has no more. Raises StoreUnavailable; then it is for next time."""
        for end, tell in ((End.DONE, self._table.done), (End.BACK, self._table.back)):
            with self._lock:
                tickets = self._ended[end][:_PAGE]
            if tickets:
                tell(tickets, self._clock.now())
                with self._lock:
                    del self._ended[end][: len(tickets)]

    def _move(self, ticket: str, instance: str) -> End:
        tried = conflicts = 0
        while not self._stop.is_set():
            try:
                self._governor().advance(instance)
                return End.DONE
            except NotMovable:
                return End.DONE
            except AtWorkElsewhere as busy:
                return self._failed(ticket, instance, busy, lambda _: _LOOK_AGAIN)
            except (UnknownInstance, NewerInstance):
                return End.BACK
            except StoreUnavailable:
                self._stop.wait(_WAITS[min(tried, len(_WAITS) - 1)])
                tried += 1
            except VersionConflict as conflict:
                # Somebody else moved it, such as a person who answered: from there we go on. Not so if it is not ours.
                if conflict.found[1] != conflict.expected[1]:
                    self._require_alive()
                    self._tell(f"instance {instance} is another worker's now; nothing was written")
                    return End.LOST
                conflicts += 1
                if conflicts == _MOST_CONFLICTS:
                    return End.BACK
            except Exception as error:
                return self._failed(ticket, instance, error)
        return End.BACK

    def _failed(self, ticket: str, instance: str, error: Exception, retry_in: RetryIn = _retry_in) -> End:
        told = " ".join(str(error).split()) or type(error).__name__
        try:
            given_up = self._table.failed(ticket, told, self._clock.now(), retry_in)
        except StoreUnavailable:
            return End.BACK
        again = "" if given_up is None or given_up.retry_in is None else f"; again in {given_up.retry_in:g} s"
        self._tell(f"instance {instance} could not be moved: {told}{again}")
        return End.LOST

    def _governor(self) -> Governor:
        found: Any = getattr(self._own, "governor", None)
        if found is None:
            found = self._own.governor = self._open()
        governor: Governor = found
        return governor
