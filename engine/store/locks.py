"""The locks that a program has on a database, whatever kind that is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from threading import Lock

from engine.store.dialects import Locked, Locker


class Locks:
    """By number. May be used from any thread; `make` is called at the first that is wanted.

    A locker gives a number again to whoever has it, so what is given is noted here.
    """

    def __init__(self, make: Callable[[], Locker]) -> None:
        self._make, self._one = make, Lock()
        self._locker: Locker | None = None
        self._held = set[int]()

    def take(self, numbers: Collection[int], instead: Collection[int], instance: str) -> Locked:
        """Those of them that nobody had are ours now, and those `instead` are not any more."""
        with self._one:
            if self._locker is None:
                self._locker = self._make()
            given = self._held.intersection(instead)
            locked = self._locker.lock([each for each in numbers if each not in self._held], given, instance)
            self._held = (self._held - given) | locked.taken
            return locked

    def give_up(self, numbers: Iterable[int]) -> None:
        """Others may have them."""
        with self._one:
            ours = self._held.intersection(numbers)
            self._held -= ours
            if ours and self._locker is not None:
                self._locker.unlock(ours)

    def close(self) -> None:
        """Give up all."""
        with self._one:
            self._held.clear()
            if self._locker is not None:
                self._locker.close()
                self._locker = None
