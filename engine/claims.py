"""Who does which job in this program, so that nobody else in it does the same one as well."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from typing import Final

_MOST: Final = 10_000


class Claims:
    """Jobs by the key of their attempt (`Work.key`). Whoever has a job brings it to its end.

    Of those that are done it is known for a while in which version of the instance: who has loaded it before that still
    sees them open.
    """

    def __init__(self) -> None:
        self._owners: dict[str, object] = {}
        self._done: dict[str, int] = {}
        self._lock = Lock()

    def take(self, key: str, owner: object, version: int) -> bool:
        """Whether the job is the owner's to do, who sees the instance in this version."""
        with self._lock:
            if self._done.get(key, version) > version:
                return False
            return self._owners.setdefault(key, owner) is owner

    def done(self, keys: Iterable[str], version: int) -> None:
        """What came of them is durable since this version of the instance."""
        with self._lock:
            for key in keys:
                self._owners.pop(key, None)
                self._done[key] = version
            while len(self._done) > _MOST:
                del self._done[next(iter(self._done))]

    def give_up(self, keys: Iterable[str], owner: object) -> None:
        """The owner does them no more: they are for who comes next."""
        with self._lock:
            for key in keys:
                if self._owners.get(key) is owner:
                    del self._owners[key]
