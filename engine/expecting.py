"""Conditional moves: done only to an instance that is as it was seen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from engine.errors import EngineError
from engine.store.advance import InstanceRecord


class InstanceChanged(EngineError):
    """An instance that is not as it was seen: `expected` and `found` are (epoch, version)."""

    def __init__(self, instance: str, expected: tuple[int, int], found: tuple[int, int]) -> None:
        self.instance, self.expected, self.found = instance, expected, found
        told = f"version {found[1]} of epoch {found[0]}, not version {expected[1]} of epoch {expected[0]}"
        super().__init__(f"instance {instance} has changed: it is at {told}; look at it again")


@dataclass(slots=True)
class _Seen:
    instance: str
    at: tuple[int, int]
    checked: bool = False


class Expecting:
    """What the moves of this thread expect of an instance. The first that loads it is checked; no race is run again."""

    def __init__(self) -> None:
        self._seen: ContextVar[_Seen | None] = ContextVar("seen", default=None)

    @contextmanager
    def of(self, instance: str, at: tuple[int, int]) -> Iterator[None]:
        """For a `with` statement around one move; `at` is the (epoch, version) that was seen."""
        token = self._seen.set(_Seen(instance, at))
        try:
            yield
        finally:
            self._seen.reset(token)

    def check(self, record: InstanceRecord) -> None:
        """Raises InstanceChanged."""
        seen = self._seen.get()
        if seen is None or seen.checked or seen.instance != record.id:
            return
        seen.checked = True
        found = (record.epoch, record.version)
        if found != seen.at:
            raise InstanceChanged(record.id, seen.at, found)

    def give_up(self, record: InstanceRecord) -> None:
        """Somebody else was faster. Raises InstanceChanged where that must not happen."""
        seen = self._seen.get()
        if seen is not None and seen.instance == record.id:
            raise InstanceChanged(record.id, seen.at, (record.epoch, record.version))
