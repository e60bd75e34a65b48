"""Slows down who guesses passwords."""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from engine.server.identity.errors import TooManyTries
from governance.ports import Clock

MOST: Final = 5
"""Wrong tries within the time of one name, or from one address."""
WITHIN: Final = timedelta(minutes=5)
_REMEMBERED: Final = 10_000


class Tries:
    """Counts wrong tries, in memory: a restart forgets them, and takes longer than waiting."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._lock = clock, Lock()
        self._wrong: OrderedDict[str, list[datetime]] = OrderedDict()

    def require_few(self, *whose: str) -> None:
        """Raises TooManyTries."""
        now = self._clock.now()
        with self._lock:
            for each in whose:
                recent = [at for at in self._wrong.get(each, ()) if at > now - WITHIN]
                if len(recent) >= MOST:
                    raise TooManyTries(max(1, int((recent[0] + WITHIN - now).total_seconds())))

    def add(self, *whose: str) -> None:
        """One more wrong try."""
        now = self._clock.now()
        with self._lock:
            for each in whose:
                recent = [at for at in self._wrong.pop(each, ()) if at > now - WITHIN]
                self._wrong[each] = [*recent, now]
                if len(self._wrong) > _REMEMBERED:
                    self._wrong.popitem(last=False)

    def forget(self, *whose: str) -> None:
        """They know the password."""
        with self._lock:
            for each in whose:
                self._wrong.pop(each, None)
