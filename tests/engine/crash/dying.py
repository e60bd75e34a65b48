"""A store that kills its program at a commit point: before or after something is made durable."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from typing import Any

from engine.store.advance import Advance, NewInstance
from engine.store.parts import CallJournal
from engine.store.store import SqlStore

Point = Callable[[str], None]


class DyingStore(SqlStore):
    """Passes two points at each commit: `before` it and `after` it. What is told at a point is what was done."""

    point: Point

    def deploy(self, definition_json: bytes, definition_hash: str, source: bytes, name: str, file: str) -> None:
        self.point("before")
        super().deploy(definition_json, definition_hash, source, name, file)
        self.point("deployed")

    def create(self, new: NewInstance, first: Advance | None = None) -> int:
        self.point("before")
        version = super().create(new, first)
        self.point("committed")
        return version

    def commit(self, advance: Advance) -> int:
        self.point("before")
        version = super().commit(advance)
        self.point("committed")
        return version

    def journal(self, instance: str, epoch: int | None = None) -> Any:
        return _DyingJournal(super().journal(instance, epoch), self.point)


class _DyingJournal:
    def __init__(self, journal: CallJournal, point: Point) -> None:
        self._journal, self._point = journal, point

    def get(self, run: str, call: str) -> dict[str, Any] | None:
        return self._journal.get(run, call)

    def put(self, run: str, call: str, answer: Mapping[str, Any]) -> None:
        self._point("before")
        self._journal.put(run, call, answer)
        self._point("journaled")


class Fate:
    """Counts points and ends the program at the one that was chosen, 0 for none."""

    def __init__(self, last: int, tell: Callable[[str, str], None]) -> None:
        self.passed, self._last, self._tell = 0, last, tell

    def __call__(self, what: str) -> None:
        self.passed += 1
        if what != "before":
            self._tell(what, "")
        if self.passed == self._last:
            os.kill(os.getpid(), signal.SIGKILL)
