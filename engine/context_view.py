"""The contexts of an instance to look at, as git shows a repository: log, show, diff. Plain data; nothing changes."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import total_ordering
from typing import Any, Literal, TypeAlias

from engine.json_text import parse, pretty
from governance.human_loop.diff import Hunk, word_diff
from governance.snapshots.contents import Contents, Totals
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.metadata import meta
from governance.snapshots.model import Commit, EntryMeta, Item, key_of, layer_of
from governance.snapshots.render import full_size, render_value, shown_size
from governance.snapshots.restore import touched_keys
from governance.snapshots.values import Size, ValueStore
from governance.vocabulary import Fidelity, Layer

Change: TypeAlias = Literal["added", "removed", "changed", "shown"]

_NO_HEADS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """A snapshot and what its step changed, by key: written, deleted, carried over from a merged branch, or shown in
    another fidelity. `heads` are the branches that stand on it.
    """

    id: str
    parents: tuple[str, ...]
    at: str
    kind: str
    activity: str
    branch: str
    written: tuple[str, ...]
    deleted: tuple[str, ...]
    carried: tuple[str, ...]
    shown: Mapping[str, str]
    heads: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryView:
    """An entry as it stands in a snapshot. `text` is what a model reads, "" when archived; `full` its size in full."""

    key: str
    fidelity: str
    text: str
    size: Size
    full: Size
    written: EntryMeta

    def to_json(self) -> dict[str, Any]:
        named = {"size": self.size._asdict(), "full": self.full._asdict(), "written": self.written._asdict()}
        return {**asdict(self), **named}


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerView:
    """A layer with its entries by key, those of variable scopes after the process's own."""

    layer: str
    totals: Totals
    entries: tuple[EntryView, ...]

    def to_json(self) -> dict[str, Any]:
        entries = [entry.to_json() for entry in self.entries]
        return {"layer": self.layer, "totals": self.totals._asdict(), "entries": entries}


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotView:
    """A snapshot, whole: all six layers, empty ones too. EPHEMERAL is never in a snapshot."""

    commit: LogEntry
    layers: tuple[LayerView, ...]

    def to_json(self) -> dict[str, Any]:
        return {"snapshot": self.commit.to_json(), "layers": [layer.to_json() for layer in self.layers]}


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyChange:
    """How an entry differs between two snapshots.

    `shown`: the value is the same, and models are shown more or less of it. `before` and `after` are the values as
    text, None where there is no entry; `hunks` turn one into the other, word by word.
    """

    key: str
    change: Change
    before: str | None
    after: str | None
    fidelity_before: str | None
    fidelity_after: str | None
    hunks: tuple[Hunk, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def log(graph: SnapshotGraph, heads: Sequence[str], names: Mapping[str, str] = _NO_HEADS) -> Iterator[LogEntry]:
    """The heads and all their ancestors, each once, newest first. `names` gives the head of each branch by name.

    Lazy: what is not asked for is not loaded. Raises UnknownSnapshot.
    """
    standing: dict[str, list[str]] = {}
    for branch, head in names.items():
        standing.setdefault(head, []).append(branch)
    seen = set(heads)
    heap = [_Newest(graph.get(head)) for head in seen]
    heapq.heapify(heap)
    while heap:
        commit = heapq.heappop(heap).commit
        yield _entry(commit, tuple(standing.get(commit.id, ())))
        for parent in commit.parents:
            if parent not in seen:
                seen.add(parent)
                heapq.heappush(heap, _Newest(graph.get(parent)))


def show(graph: SnapshotGraph, snapshot: str) -> SnapshotView:
    """A snapshot with every entry. Raises UnknownSnapshot."""
    contents = graph.contents(snapshot)
    layers = tuple(_layer(graph, contents, layer) for layer in Layer)
    return SnapshotView(commit=_entry(graph.get(snapshot)), layers=layers)


def diff(graph: SnapshotGraph, before: str, after: str) -> list[KeyChange]:
    """What differs, by key. Cost: the commits between the two and what they touched. Raises UnknownSnapshot."""
    old, new = graph.contents(before), graph.contents(after)
    changes = (_change(graph, key, old.item(key), new.item(key)) for key in touched_keys(graph, before, after))
    return [change for change in changes if change is not None]


def value_text(value: Any) -> str:
    """A value for people: text as it is, anything else as JSON over several lines."""
    if isinstance(value, str):
        return value
    return pretty(value, sort_keys=True)


@total_ordering
class _Newest:
    """Orders commits for a heap: the newest first, a child always before its parents."""

    __slots__ = ("_order", "commit")

    def __init__(self, commit: Commit) -> None:
        self.commit = commit
        self._order = (commit.meta.at, commit.generation, commit.id)

    def __lt__(self, other: _Newest) -> bool:
        return self._order > other._order

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Newest) and self._order == other._order


def _entry(commit: Commit, heads: tuple[str, ...] = ()) -> LogEntry:
    about = commit.meta
    fidelities = {key: Fidelity.FULL if shown is None else shown.fidelity for key, shown in commit.shown.items()}
    return LogEntry(
        id=commit.id,
        parents=commit.parents,
        at=about.at,
        kind=about.kind,
        activity=about.activity,
        branch=about.branch,
        written=tuple(sorted(key for key, write in commit.writes.items() if write.value is not None)),
        deleted=tuple(sorted(key for key, write in commit.writes.items() if write.value is None)),
        carried=tuple(sorted(commit.carry)),
        shown={key: fidelities[key].name for key in sorted(fidelities)},
        heads=heads,
    )


def _layer(graph: SnapshotGraph, contents: Contents, layer: Layer) -> LayerView:
    spaces = sorted(space for space in contents.spaces if space.partition(":")[0] == layer)
    entries = (
        _entry_view(graph, key_of(space, name), item) for space in spaces for name, item in contents.items(space)
    )
    return LayerView(layer=layer.value, totals=contents.layer_totals(layer), entries=tuple(entries))


def _entry_view(graph: SnapshotGraph, key: str, item: Item) -> EntryView:
    values = graph.values
    return EntryView(
        key=key,
        fidelity=item.fidelity.name,
        text=render_value(values, key, item),
        size=shown_size(values, key, item),
        full=full_size(values, key, item.value),
        written=meta(values, item.meta),
    )


def _change(graph: SnapshotGraph, key: str, old: Item | None, new: Item | None) -> KeyChange | None:
    kind = _kind(old, new)
    if kind is None:
        return None
    before, after = (None if item is None else _full_text(graph.values, key, item) for item in (old, new))
    return KeyChange(
        key=key,
        change=kind,
        before=before,
        after=after,
        fidelity_before=None if old is None else old.fidelity.name,
        fidelity_after=None if new is None else new.fidelity.name,
        hunks=() if before is None or after is None else tuple(word_diff(before, after)),
    )


def _full_text(values: ValueStore, key: str, item: Item) -> str:
    """The whole value, however little of it is shown; a HISTORY record with its outputs in it."""
    if layer_of(key) is Layer.HISTORY:
        return value_text(parse(render_value(values, key, Item(item.value, item.meta))))
    return value_text(values.get(item.value))


def _kind(old: Item | None, new: Item | None) -> Change | None:
    if old is None or new is None:
        return None if old is new else "added" if old is None else "removed"
    if old.value != new.value:
        return "changed"
    return None if old.fidelity is new.fidelity else "shown"
