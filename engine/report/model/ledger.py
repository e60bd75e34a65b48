"""The compression ledger: of each entry, how models were shown less of it, and what they were shown instead."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from engine.events import Event, EventType
from engine.names import Names
from engine.report.words import cut, key_name
from engine.told import Told, told
from governance.errors import GovernanceError
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import layer_of
from governance.snapshots.render import render_value
from governance.vocabulary import Fidelity

_SHOWN_CHARS: Final = 500
_MOST_TEXTS: Final = 300
"""Texts that are written out; of a longer ledger those of its first falls."""


@dataclass(frozen=True, slots=True)
class Fall:
    """An entry shown in less for an activity. `text` is what models read instead, "" where nothing or not told.

    `raised`: before this it had been shown in full again, or written anew.
    """

    seq: int
    element: str
    branch: str
    at: str
    from_: str
    to: str
    before: int
    after: int
    text: str
    raised: bool = False


@dataclass(slots=True)
class Entry:
    """One entry of a context with its falls, oldest first."""

    key: str
    name: str
    layer: str
    falls: list[Fall] = field(default_factory=list)

    @property
    def saved(self) -> int:
        """Characters that the largest fall took away."""
        return max(fall.before - fall.after for fall in self.falls)


def ledger(graph: SnapshotGraph, events: Iterable[Event], names: Names) -> list[Entry]:
    """Entries that fell, those that saved most first. Cost: the falls."""
    book = _Book(graph, names)
    for event in events:
        if event.type is EventType.D1:
            book.enter(event)
    return sorted(book.entries.values(), key=lambda entry: (-entry.saved, entry.key))


class _Book:
    def __init__(self, graph: SnapshotGraph, names: Names) -> None:
        self._graph, self._names = graph, names
        self._last: dict[tuple[str, str], str] = {}
        self._texts = 0
        self.entries: dict[str, Entry] = {}

    def enter(self, event: Event) -> None:
        snapshot = event.data.get("snapshot_after", "")
        for change in event.data.get("changes", ()):
            key = change["key"]
            entry = self.entries.setdefault(key, Entry(key, self._name(key), layer_of(key).value))
            entry.falls.append(self._fall(event, change, snapshot))
            self._last[key, event.branch] = change["to"]

    def _fall(self, event: Event, change: Any, snapshot: str) -> Fall:
        last = self._last.get((change["key"], event.branch))
        return Fall(
            seq=event.seq,
            element=self._names.element(event.element),
            branch=event.branch,
            at=event.at,
            from_=change["from"],
            to=change["to"],
            before=change["chars_before"],
            after=change["chars_after"],
            text=self._text(snapshot, change["key"]),
            raised=last is not None and Fidelity[last] < Fidelity[change["from"]],
        )

    def _text(self, snapshot: str, key: str) -> str:
        """What stands in the entry's place in prompts."""
        if self._texts >= _MOST_TEXTS:
            return ""
        self._texts += 1
        try:
            item = self._graph.contents(snapshot).item(key)
            return "" if item is None else cut(render_value(self._graph.values, key, item), _SHOWN_CHARS)
        except GovernanceError:
            return ""

    def _name(self, key: str) -> str:
        name = key_name(key)
        if isinstance(name, Told) and "activity" in name.values:
            return told(name.template, activity=self._names.element(name.values["activity"]))
        return name
