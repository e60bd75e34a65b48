"""Who is at what in the inbox, so that two people do not do the same. It binds nobody: the first answer stands."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from engine.errors import EngineError
from governance.ports import Clock, timestamp

LASTING: Final = timedelta(minutes=30)
"""After which who said so is thought to have gone."""


class AlreadyClaimed(EngineError):
    """Somebody else is at it, `by` whom since when (`at`)."""

    def __init__(self, item: str, by: str, at: str) -> None:
        self.item, self.by, self.at = item, by, at
        super().__init__(f"{by} is at {item} since {at}")


@dataclass(frozen=True, slots=True)
class Claim:
    """Who is at something, since when (a timestamp)."""

    by: str
    at: str


class Claims:
    """Kept while the server runs."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._lock = clock, Lock()
        self._made: dict[str, tuple[str, datetime]] = {}

    def claim(self, item: str, by: str) -> Claim:
        """Say that somebody is at it; again prolongs it. Raises AlreadyClaimed where somebody else is."""
        now = self._clock.now()
        with self._lock:
            self._forget(now)
            found = self._made.get(item)
            if found is not None and found[0] != by:
                raise AlreadyClaimed(item, found[0], timestamp(found[1]))
            self._made[item] = (by, now)
        return Claim(by, timestamp(now))

    def release(self, item: str, by: str) -> None:
        """They are no longer at it; nothing where somebody else is."""
        with self._lock:
            if self._made.get(item, ("", None))[0] == by:
                del self._made[item]

    def of(self, item: str) -> Claim | None:
        """Who is at it, None: nobody."""
        with self._lock:
            self._forget(self._clock.now())
            found = self._made.get(item)
        return None if found is None else Claim(found[0], timestamp(found[1]))

    def _forget(self, now: datetime) -> None:
        for item in [item for item, (_, at) in self._made.items() if at < now - LASTING]:
            del self._made[item]
