"""The jobs that one session has of an instance, and what they came to until that is committed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Protocol

from engine.activities.work import Outcome
from engine.claims import Claims


class Holds(Protocol):
    """What keeps jobs from other programs."""

    def take(self, keys: Collection[str], version: int, instead: Iterable[str] = ()) -> set[str]:
        """Those that nobody else is at, of the instance in this version, and none of those `instead` any more.

        Raises VersionConflict where it moved on.
        """
        ...

    def give_up(self, keys: Iterable[str]) -> None: ...


class NoHolds:
    """There is no other program."""

    def take(self, keys: Collection[str], version: int, instead: Iterable[str] = ()) -> set[str]:
        return set(keys)

    def give_up(self, keys: Iterable[str]) -> None: ...


class OwnJobs:
    """Jobs by the key of their attempt: claimed in this program, held against others.

    `when_durable` calls once what was committed is durable, or never.
    """

    def __init__(
        self,
        claims: Claims | None = None,
        when_durable: Callable[[Callable[[], None]], None] = lambda call: call(),
        holds: Holds | None = None,
    ) -> None:
        self._claims, self._when_durable, self._holds = claims or Claims(), when_durable, holds or NoHolds()
        self._open, self._ended, self._over = set[str](), set[str](), set[str]()
        self._came_to: dict[str, Outcome | Exception] = {}
        self.elsewhere = False
        """Whether another program is at some of those that were wanted last."""

    def take(self, keys: Iterable[str], version: int) -> set[str]:
        """Which jobs of the instance in this version are ours.

        Raises VersionConflict, and takes no more, where it is in another one by now.
        """
        mine = {key for key in keys if self._claims.take(key, self, version)}
        new, held = mine - self._open, set[str]()
        try:
            if new:
                held = self._holds.take(new, version, self._over)
                self._over.clear()
        finally:
            self._claims.give_up(new - held, self)
        self._open |= held
        self.elsewhere = held != new
        return mine & self._open

    def keep(self, key: str, came_to: Outcome | Exception) -> None:
        """What was done, and must not be done again. May be called on any thread."""
        self._came_to[key] = came_to

    def kept(self, key: str) -> Outcome | Exception | None:
        return self._came_to.get(key)

    def forget(self) -> None:
        """What was done is told: nothing has to be kept of it."""
        self._came_to.clear()

    def settled(self, still_open: Collection[str], version: int) -> None:
        """The version is committed, in which of all jobs only these are open."""
        ended = self._open.difference(still_open)
        self._open -= ended
        self._ended |= ended

        def tell() -> None:
            self._claims.done(ended, version)
            self._ended -= ended
            self._over |= ended  # until the next one is taken, or all are left: that is at once

        self._when_durable(tell)

    def leave(self) -> None:
        """Do nothing more: what is not done is for others."""
        left = self._open | self._ended
        self._holds.give_up(left | self._over)
        self._claims.give_up(left, self)
        self._open.clear()
        self._over.clear()
        self._came_to.clear()
