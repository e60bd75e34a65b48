"""The jobs that one session has of an instance, and what they came to until that is committed."""

from __future__ import annotations

from collections.abc import Callable, Collection

from engine.activities.work import Outcome
from engine.claims import Claims


class OwnJobs:
    """Jobs by the key of their attempt. `when_durable` calls once what was committed is durable, or never."""

    def __init__(
        self,
        claims: Claims | None = None,
        when_durable: Callable[[Callable[[], None]], None] = lambda call: call(),
    ) -> None:
        self._claims, self._when_durable = claims or Claims(), when_durable
        self._open, self._ended = set[str](), set[str]()
        self._came_to: dict[str, Outcome | Exception] = {}

    def take(self, key: str, version: int) -> bool:
        """Whether a job of the instance in this version is ours."""
        mine = self._claims.take(key, self, version)
        if mine:
            self._open.add(key)
        return mine

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

        self._when_durable(tell)

    def leave(self) -> None:
        """Do nothing more: what is not done is for others."""
        self._claims.give_up(self._open | self._ended, self)
        self._open.clear()
        self._came_to.clear()
