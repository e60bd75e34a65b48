"""The semantic context graph: which entry has to do with which, as typed edges (Design: CDA, SCG).

Grows one entry at a time; an entry's edges are bounded in number, whatever the graph holds. Names that very many
entries share link nothing: they say who speaks, not what one entry has from another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from governance.cda.entry import Entry
from governance.cda.likeness import Likeness
from governance.cda.names import KnownNames, names_in


class EdgeKind(StrEnum):
    FOLLOWS = "follows"
    """Comes next in the same scope."""
    BECAUSE = "because"
    """Was caused by: a result by its call, or what the caller says."""
    REFERS = "refers"
    """Speaks of what the other is about, or of the same rare name."""
    CONTRADICTS = "contradicts"
    """Says nearly the same with another value, or with a "not"."""
    SIMILAR = "similar"
    """Says nearly the same."""


class Edge(NamedTuple):
    """An edge from the later or speaking entry to `to`; `strength` from 0 to 1 is what a path over it keeps."""

    to: int
    kind: EdgeKind
    strength: float


_FOLLOWS, _TITLE, _FIRST = 0.5, 0.77, 1.0
"""Measured on multi-hop questions: what a step between neighbours keeps, and one to a document that is named, whose
first piece says most of what it is about."""
_MOST_SCOPES = 4
"""A name that stands in more scopes than this is common and links nothing."""
_MOST_TITLED, _MOST_MENTIONS = 32, 24
_READ = 4_000
"""Characters of an entry in which names are looked for."""


@dataclass(slots=True)
class _Mentions:
    """Who mentions a name; `numbers` is empty once it is common."""

    numbers: list[int] = field(default_factory=list)
    scopes: set[str] = field(default_factory=set)
    common: bool = False

    def add(self, number: int, scope: str) -> None:
        if self.common:
            return
        self.numbers.append(number)
        self.scopes.add(scope)
        if len(self.scopes) > _MOST_SCOPES or len(self.numbers) > _MOST_MENTIONS:
            self.common = True
            self.numbers.clear()
            self.scopes.clear()


class SemanticContextGraph:
    """Edges between entries by their numbers."""

    def __init__(self) -> None:
        self._names: list[tuple[str, ...]] = []
        self._own: list[str] = []
        self._scopes: list[str] = []
        self._edges: list[list[Edge]] = []
        self._titled: dict[str, list[int]] = {}
        self._known = KnownNames()
        self._mentions: dict[str, _Mentions] = {}
        self._last: dict[str, int] = {}
        self._calls: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._likeness = Likeness()

    def add(self, entry: Entry) -> None:
        """Add the next entry; its number must be the count of entries so far."""
        number, text = entry.number, entry.text[:_READ]
        mentioned = names_in(text) | self._known.found_in(text)
        mentioned.discard(entry.name)
        self._names.append(tuple(sorted(mentioned)))
        self._own.append(entry.name)
        self._scopes.append(entry.scope)
        self._edges.append([])
        self._numbers[entry.id] = number
        self._follow(entry)
        for cause in entry.causes:
            if cause in self._numbers:
                self._link(number, self._numbers[cause], EdgeKind.BECAUSE, 1.0)
        for call in sorted(entry.calls):
            self._link(number, self._calls.setdefault(call, number), EdgeKind.BECAUSE, 1.0)
        for to, alike in self._likeness.add(number, text, self._candidates(mentioned)):
            self._link(number, to, EdgeKind.CONTRADICTS if alike.contradicts else EdgeKind.SIMILAR, alike.degree)
        if entry.name:
            self._titled.setdefault(entry.name, []).append(number)
            self._known.add(entry.name)
        for name in mentioned:
            self._mentions.setdefault(name, _Mentions()).add(number, entry.scope)

    def edges(self, number: int) -> Iterable[Edge]:
        """All edges at an entry, whoever they lead from, `refers` looked up by name."""
        plain = self._edges[number]
        if not self._names[number] and not self._own[number]:
            return plain
        return [*plain, *self._named_edges(number)]

    def is_known(self, name: str) -> bool:
        """Whether an entry is by or about `name`."""
        return name in self._titled

    def names_known_in(self, text: str) -> set[str]:
        """Names in `text` that some entry is by or about, or that few entries mention."""
        named = self._known.found_in(text)
        return named | {name for name in names_in(text) if name in self._mentions and not self._mentions[name].common}

    def names_of(self, number: int) -> tuple[str, ...]:
        """The names an entry mentions, without its own."""
        return self._names[number]

    def mentioning(self, name: str) -> list[int]:
        """The entries that mention a name, none if it is common."""
        found = self._mentions.get(name)
        return found.numbers if found else []

    def _follow(self, entry: Entry) -> None:
        last = self._last.get(entry.scope)
        if last is not None:
            self._link(entry.number, last, EdgeKind.FOLLOWS, _FOLLOWS)
        self._last[entry.scope] = entry.number

    def _link(self, number: int, to: int, kind: EdgeKind, strength: float) -> None:
        if number != to:
            self._edges[number].append(Edge(to, kind, strength))
            self._edges[to].append(Edge(number, kind, strength))

    def _candidates(self, mentioned: set[str]) -> Iterator[int]:
        """The last entry that mentions each rare name: what the new one may repeat or contradict."""
        for name in sorted(mentioned):
            numbers = self.mentioning(name)
            if numbers:
                yield numbers[-1]

    def _named_edges(self, number: int) -> Iterator[Edge]:
        own, scope = self._own[number], self._scopes[number]
        for name in self._names[number]:
            titled = self._titled.get(name, ())
            if len(titled) <= _MOST_TITLED:
                for at, to in enumerate(titled):
                    yield Edge(to, EdgeKind.REFERS, _FIRST if at == 0 else _TITLE)
            yield from self._sharing(name, number, scope)
        if own and len(self._titled[own]) <= _MOST_TITLED:
            for to in self.mentioning(own):
                yield Edge(to, EdgeKind.REFERS, _TITLE)

    def _sharing(self, name: str, number: int, scope: str) -> Iterator[Edge]:
        found = self._mentions.get(name)
        if found is None or found.common or len(found.scopes) < 2:
            return
        for to in found.numbers:
            if to != number and self._scopes[to] != scope:
                yield Edge(to, EdgeKind.REFERS, 1.0 / len(found.scopes))
