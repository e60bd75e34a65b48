"""The oracle's idea of a context: who wrote what, having seen what, and when."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

from tests.engine.random.places import MISSING, WHOLE, Place, changed, same

Key = tuple[str, str]
"""Scope and name of a variable; ("", name) in the process itself."""
Order = tuple[int, int, tuple[Any, ...]]
"""When something was written: the time, then the step of the snapshot, then the branch."""

FULL, SUMMARY, KEY_ONLY, ARCHIVED = 3, 2, 1, 0


@dataclass(frozen=True)
class Write:
    """One place that a step wrote.

    `left` is all that its author left under the key. `origin` is the number of the write that first left it: another
    one's if this is a merge's decision. `seen` are the writes that its author knew.
    """

    number: int
    key: Key
    place: Place
    left: Any
    order: Order
    origin: int
    seen: frozenset[int]


@dataclass(frozen=True)
class Gain:
    """What one write added to what its author saw: a number, or items at the end of a list."""

    order: Order
    key: Key
    amount: Any


@dataclass(frozen=True, order=True)
class Record:
    """What an activity leaves in HISTORY."""

    order: Order
    activity: str
    decided: bool = field(compare=False)


@dataclass
class Context:
    """The context of a token. `log` has every write of the run, whoever made it."""

    log: list[Write] = field(default_factory=list)
    values: dict[Key, Any] = field(default_factory=dict)
    seen: frozenset[int] = frozenset()
    gains: frozenset[Gain] = frozenset()
    time: int = 0
    generation: int = 1
    steps: int = 1
    """The generation without the snapshots that only show less."""
    branch: str = ""
    path: tuple[Record, ...] = ()
    grades: dict[Record, int] = field(default_factory=dict)

    def fork(self, branch: str) -> Context:
        return replace(self, values=deepcopy(self.values), grades=dict(self.grades), branch=branch)

    @property
    def order(self) -> Order:
        return self.time, self.steps, natural(self.branch)

    def step(self) -> None:
        """One more snapshot."""
        self.generation += 1
        self.steps += 1

    def show_less(self) -> None:
        """One more snapshot, in which nothing is written."""
        self.generation += 1

    def keep(self, key: Key, value: Any) -> None:
        """What stands under a key, without anybody having written it."""
        if value is MISSING:
            self.values.pop(key, None)
        else:
            self.values[key] = deepcopy(value)

    def write(self, key: Key, value: Any, *, adds_up: bool = False) -> None:
        """Write a variable in the latest snapshot, MISSING to delete it. What changes nothing is no write."""
        before = self.values.get(key, MISSING)
        if same(before, value):
            return
        if adds_up:
            amount = tuple(value[len(before) :]) if isinstance(value, list) else value - before
            self.gains |= {Gain(self.order, key, amount)}
        places = [WHOLE] if MISSING in (before, value) else changed(before, value)
        origin, seen = len(self.log), self.seen
        for place in places:
            number = len(self.log)
            self.log.append(Write(number, key, place, deepcopy(value), self.order, origin, seen))
            self.seen |= {number}
        self.keep(key, value)

    def drop(self, scope: str) -> None:
        """Forget the variables of a scope that has ended."""
        self.values = {key: value for key, value in self.values.items() if key[0] != scope}

    def record(self, activity: str, *, decided: bool = False) -> None:
        """Leave a record in the latest snapshot's HISTORY."""
        made = Record(self.order, activity, decided)
        self.grades[made] = FULL
        path = (*self.path, made)
        self.fade(path)
        self.path = path[-8:]

    def fade(self, path: Sequence[Record]) -> bool:
        """Grade the records of a path, oldest first, by their distance. Whether one of them fell."""
        fell = False
        for distance, record in enumerate(reversed(path), start=1):
            grade = _grade(distance, record)
            if grade < self.grades[record]:
                self.grades[record], fell = grade, True
        return fell


def _grade(distance: int, record: Record) -> int:
    if distance <= 3:
        return FULL
    if distance <= 8:
        return SUMMARY
    return KEY_ONLY if record.decided else ARCHIVED


def natural(text: str) -> tuple[Any, ...]:
    """A sort key in which numbers count as numbers, and come before text."""
    parts = [part for part in re.split(r"(\d+)", text) if part]
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts)
