"""Zones grade HISTORY and KNOWLEDGE where a context is large or long (Design: CDA, zones; who grades HISTORY)."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from governance.cda.settings import CdaSettings
from governance.cda.zones import Calibration, Zone, ZoneRow, ZoneTable
from governance.compression.decisions import D1Request
from governance.compression.eligibility import Hold
from governance.compression.entries import Entry, entries_of
from governance.compression.measuring import measure
from governance.compression.priority import qts_of
from governance.compression.rungs import Shortener
from governance.compression.settings import CompressSettings
from governance.compression.units import references
from governance.layers.history import HistoryGrading
from governance.policy import Policy
from governance.ports import Summariser
from governance.similarity.index import Bm25Index
from governance.snapshots.contents import Contents
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.lookup import Standing
from governance.snapshots.model import CommitMeta, Item, Shown, key_of, name_of, space_of
from governance.snapshots.render import record_outputs, render_line, text_line_size
from governance.vocabulary import Fidelity, Layer, Zones

MOST_ROWS: Final = 256
"""Rows that a token carries: those of what moved last."""

Rows = Sequence[ZoneRow[str]]
"""The zones of a token's entries by their keys, as plain data."""

IN_PROCESSES: Final[Calibration] = ((0.0, 0.0), (0.28, 0.25), (0.45, 0.75), (1.0, 1.0))
"""QTS of a process's entries to the scale of the thresholds. All of a sub-process or lane share its part `phase`, 0.2
to 0.25 of the score: what has no more than that is dropped, and what the query finds well is kept."""

_GRADED: Final = (Layer.HISTORY, Layer.KNOWLEDGE)
_FOUND: Final = 64
"""Entries that are shown little or not at all, and may rise: the best of so many hits for the query."""
_WHOLE: Final = Shown(Fidelity.FULL)


@dataclass(frozen=True, slots=True)
class Zoned:
    """What an assembly showed anew. `zones` counts its entries; both snapshots are the same if nothing changed."""

    before: str
    after: str
    rows: Rows
    zones: Mapping[Zone, int]
    raised: Sequence[str] = ()
    lowered: Sequence[str] = ()


@dataclass(slots=True)
class _Looked:
    """The entries of one assembly by key, and what each came to show."""

    entries: dict[str, Entry] = field(default_factory=dict)
    shown: dict[str, Shown | None] = field(default_factory=dict)
    raised: list[str] = field(default_factory=list)
    lowered: list[str] = field(default_factory=list)


class ContextZones:
    """Grades by zone what a model is about to be shown; in place of `HistoryGrading` wherever zones are on.

    Cost of an assembly: what is shown above KEY_ONLY, what it finds, and the rows it goes on from.
    """

    def __init__(
        self,
        graph: SnapshotGraph,
        summariser: Summariser,
        grading: HistoryGrading,
        settings: CdaSettings | None = None,
        compress: CompressSettings | None = None,
    ) -> None:
        self._graph, self._summariser, self._grading = graph, summariser, grading
        self._settings, self._compress = settings or CdaSettings(), compress or CompressSettings()
        self._index = Bm25Index()
        self._wrote: dict[str, list[tuple[int, str]]] = {}

    def on(self, standing: Standing, request: D1Request, rows: Rows) -> bool:
        """Whether zones grade for a model call: by policy, or for what is large or long; once on, they stay on."""
        if request.policy.zones is not Zones.AUTO:
            return request.policy.zones is Zones.ON
        if rows or standing.totals(Layer.HISTORY).entries > self._settings.zones_turns:
            return True
        usage = measure(standing, request.working, request.policy, request.overhead_tokens).usage
        return usage >= self._settings.zones_usage

    def assemble(self, head: str, request: D1Request, rows: Rows, at: str, filtered: Collection[str] = ()) -> Zoned:
        """Show HISTORY and KNOWLEDGE by zone for a model call, as one commit on `head`, or none if nothing changes.

        `filtered` are keys of what a known dead end stands for. What D1 lowered in this activity run is not raised,
        nor is what a split hides. Raises UnknownSnapshot.
        """
        contents = self._graph.contents(head)
        path = [key_of(Layer.HISTORY, name) for name in request.path[-self._settings.path_kept :]]
        looked = _Looked({entry.key: entry for entry in self._candidates(contents, request, rows, path)})
        table = ZoneTable[str](self._settings, IN_PROCESSES)
        table.load(rows)
        scores = qts_of(looked.entries.values(), request, self._graph.values)
        table.update({entry.key: score for entry, score in scores.items()})
        ancestors = self._ancestors(looked, table, contents, request)
        more = self._entries(contents, ancestors - {*looked.entries}, request)
        looked.entries.update((entry.key, entry) for entry in more)
        kept = [key for key, entry in looked.entries.items() if entry.hold in (Hold.RETAINED, Hold.PINNED)]
        zones = table.shown(
            looked.entries,
            retained=kept,
            path=path,
            ancestors=ancestors,
            filtered=filtered,
        )
        self._regrade(looked, self._in_units(looked, zones), request, path)
        after = head
        if looked.shown:
            meta = CommitMeta("zones", request.activity, request.branch, at)
            after = self._graph.commit([head], shown=looked.shown, meta=meta).id
        counts = {zone: list(zones.values()).count(zone) for zone in Zone}
        return Zoned(head, after, tuple(table.rows(MOST_ROWS)), counts, sorted(looked.raised), sorted(looked.lowered))

    def _candidates(
        self, contents: Contents, request: D1Request, rows: Rows, path: Collection[str]
    ) -> Iterator[Entry]:
        """What is shown above its key, what was done or looked at lately, and what the query finds of the rest."""
        self._learn(contents, everything=not rows)
        upper = (key_of(layer, name) for layer in _GRADED for name in contents.space(layer).upper)
        found = (key for key, _ in self._index.top(request.query, _FOUND))
        yield from self._entries(contents, {*upper, *found, *path, *(key for key, *_ in rows)}, request)

    def _entries(self, contents: Contents, keys: Collection[str], request: D1Request) -> Iterator[Entry]:
        """The entries of `keys` that stand in the context."""
        for layer in _GRADED:
            space, names = contents.space(layer), (name_of(key) for key in keys if space_of(key) == layer)
            items = {name: item for name in names if (item := space.item(name)) is not None}
            yield from entries_of(self._graph.values, layer, items, request, self._compress.short_chars)

    def _learn(self, contents: Contents, *, everything: bool) -> None:
        """Index what is new: of all that a token brings once; later, what is new stands above its key."""
        everything = everything or not len(self._index)
        for layer in _GRADED:
            space = contents.space(layer)
            for name in space.names() if everything else space.upper:
                item = space.item(name)
                if item is not None and key_of(layer, name) not in self._index:
                    self._take_in(key_of(layer, name), item)

    def _take_in(self, key: str, item: Item) -> None:
        values = self._graph.values
        self._index.add(key, render_line(values, key, Item(item.value, item.meta)))
        record = values.get(item.value)
        if space_of(key) == Layer.HISTORY and _is_record(record):
            for output, _ in record_outputs(record) or ():
                insort(self._wrote.setdefault(output, []), (_step(key), key))

    def _ancestors(self, looked: _Looked, table: ZoneTable[str], contents: Contents, request: D1Request) -> set[str]:
        """Records that wrote last what a record in the zone keep has read, as far as those go back."""
        found: set[str] = set()
        records = (key for key, entry in looked.entries.items() if entry.space == Layer.HISTORY)
        frontier = [key for key in records if table.zone(key) is Zone.KEEP]
        while frontier:
            key = frontier.pop()
            for name in request.reads.get(key.rpartition(":")[2], ()):
                cause = self._wrote_last(name, key, contents)
                if cause is not None and cause not in found:
                    found.add(cause)
                    frontier.append(cause)
        return found

    def _wrote_last(self, name: str, before: str, contents: Contents) -> str | None:
        """The last record of the context before another that wrote a variable. Cost: later ones of other branches."""
        written = self._wrote.get(name, [])
        for at in range(bisect_left(written, (_step(before), "")) - 1, -1, -1):
            if contents.item(written[at][1]) is not None:
                return written[at][1]
        return None

    def _in_units(self, looked: _Looked, zones: Mapping[str, Zone]) -> dict[str, Zone]:
        """A tool call and its results are shown alike: as the one of them that is shown most."""
        best: dict[str, Zone] = {}
        values, order = self._graph.values, list(Zone)
        calls = {key: tuple(references(values.get(entry.item.value))) for key, entry in looked.entries.items()}
        for key, ids in calls.items():
            for call in ids:
                best[call] = min(best.get(call, Zone.DROP), zones[key], key=order.index)
        return {
            key: min((zone, *(best[call] for call in calls[key])), key=order.index) for key, zone in zones.items()
        }

    def _regrade(
        self, looked: _Looked, zones: Mapping[str, Zone], request: D1Request, path: Collection[str]
    ) -> None:
        shortener = Shortener(self._graph.values, self._summariser, self._compress, request.query, request.texts)
        for key, entry in looked.entries.items():
            whole = key in path and zones[key] is not Zone.DROP and entry.full.chars <= self._settings.path_whole_chars
            shown = _WHOLE if whole else self._shown(entry, zones[key].fidelity, shortener)
            now, to = entry.item.fidelity, shown.fidelity
            if to is now or (to > now and not self._may_rise(entry, zones[key], request)):
                continue
            looked.shown[key] = None if to is Fidelity.FULL else shown
            (looked.raised if to > now else looked.lowered).append(key)

    def _may_rise(self, entry: Entry, zone: Zone, request: D1Request) -> bool:
        if entry.key in request.lowered:
            return False
        return entry.item.fidelity is not Fidelity.ARCHIVED or (zone is not Zone.DROP and not request.sealed)

    def _shown(self, entry: Entry, rung: Fidelity, shortener: Shortener) -> Shown:
        """The entry on that rung; in full where less would not be shorter."""
        values = self._graph.values
        if rung is not Fidelity.FULL:
            text = self._text(entry, rung, shortener)
            if text is not None and text_line_size(values, entry.key, values.get(text)).chars < entry.full.chars:
                return Shown(rung, text)
        return _WHOLE

    def _text(self, entry: Entry, rung: Fidelity, shortener: Shortener) -> str | None:
        """Of a record what it says to whoever asks, so that a prompt's beginning stays the same."""
        if entry.space == Layer.HISTORY and _is_record(self._graph.values.get(entry.item.value)):
            if rung is Fidelity.SUMMARY:
                return self._grading.summary(entry.item.value, len(entry.name))
            return self._grading.excerpt(entry.item.value)
        text = shortener.text(entry, rung)
        return None if text is None else self._graph.values.put(text)


def rows_of(plain: Iterable[Sequence[Any]]) -> Rows:
    """Rows from JSON."""
    return tuple((str(key), zone, int(dropped), bool(spent)) for key, zone, dropped, spent in plain)


def grades_by_zone(policy: Policy, rows: Rows) -> bool:
    """Whether zones grade what a finished activity leaves, in place of its distance on the path."""
    return policy.zones is Zones.ON or (policy.zones is Zones.AUTO and bool(rows))


def _step(key: str) -> int:
    """The step of a record, by its key `HISTORY/branch@step:activity`."""
    step = key.rpartition("@")[2].partition(":")[0]
    return int(step) if step.isdigit() else 0


def _is_record(value: Any) -> bool:
    return isinstance(value, Mapping) and "activity" in value
