"""What all ways of choosing have in common: a case and a budget in, text that is kept out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from benchmarks.trace_sets.case import Case, tokens

_LONGEST_CHUNK = 240
_BREAK = re.compile(r"(?<=[.!?\n])\s+|(?<=\}), |(?<=\]), ")


@dataclass(frozen=True, slots=True)
class Kept:
    """What is left of a history: its text, and the ids of pieces that are there whole."""

    text: str
    whole: frozenset[str]


class Selector(Protocol):
    """A way to choose. `name` stands in the figures."""

    name: str

    def keep(self, case: Case, budget: int) -> Kept | None:
        """At most `budget` tokens of the case's history; None where this way does not apply."""
        ...


@dataclass(frozen=True, slots=True)
class Unit:
    """What is kept or left as one: a piece, or part of a long message (then no piece is whole)."""

    id: str
    text: str
    at: int


def units_of(case: Case) -> list[Unit]:
    """Pieces; for calls of tools, whose messages are long, chunks of at most 240 characters."""
    if case.evidence:
        return [Unit(piece.id, piece.text, at) for at, piece in enumerate(case.pieces)]
    return [Unit("", chunk, at) for at, piece in enumerate(case.pieces) for chunk in _chunks(piece.text)]


class Ranked:
    """Keeps the best units by a score, until the budget is full."""

    def __init__(self, name: str, score: Callable[[Case, Sequence[Unit]], Sequence[float]]) -> None:
        self.name, self._score = name, score
        self._last: tuple[Case, list[Unit]] | None = None

    def keep(self, case: Case, budget: int) -> Kept:
        if self._last is None or self._last[0] is not case:
            units = units_of(case)
            scores = self._score(case, units)
            ranked = [units[at] for at in sorted(range(len(units)), key=lambda at: -scores[at])]
            self._last = (case, ranked)
        return filled(self._last[1], budget)


def filled(units: Iterable[Unit], budget: int) -> Kept:
    """The first units that fit."""
    kept = []
    for unit in units:
        if tokens(unit.text) <= budget:
            budget -= tokens(unit.text)
            kept.append(unit)
    kept.sort(key=lambda unit: unit.at)
    return Kept("\n".join(unit.text for unit in kept), frozenset(unit.id for unit in kept if unit.id))


def _chunks(text: str) -> list[str]:
    found: list[str] = []
    current = ""
    for part in _BREAK.split(text):
        while len(part) > _LONGEST_CHUNK:
            cut = part.rfind(" ", 40, _LONGEST_CHUNK)
            found.append(part[: cut if cut > 0 else _LONGEST_CHUNK])
            part = part[cut if cut > 0 else _LONGEST_CHUNK :]
        if len(current) + len(part) > _LONGEST_CHUNK:
            found.append(current)
            current = part
        else:
            current = f"{current} {part}".strip()
    return [chunk for chunk in [*found, current] if chunk]
