"""One context: what of the memory a model is shown for what is asked now (Design: CDA, phases, zones, SCG).

Compressed late, when the query and the coming tools are known: first what must be there, then the sheet of values, then
entries by zone and QTS while there is room, then keys of what the kept ones hang on, then edges as lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from governance.cda.library import Library
from governance.cda.packing import Packed, Packer
from governance.cda.phases import RECIPES, Phase, Recipe
from governance.cda.scg import EdgeKind
from governance.cda.scoring import Focus, Qts, QtsScorer
from governance.cda.settings import WEIGHTS, CdaSettings
from governance.cda.sheet import Sheet, sheet_of
from governance.cda.shown import has_summary, said, shown
from governance.cda.zones import Zone, ZoneTable
from governance.similarity.terms import terms
from governance.tokens import TokenCounter
from governance.vocabulary import Fidelity


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What an assembly is asked: the focus, the room in tokens, the coming tools with their parameters' names."""

    focus: Focus
    room: int
    needs: str = ""
    retained: frozenset[int] = frozenset()
    failed: Mapping[int, str] = field(default_factory=dict)
    """Entries of failed traces, each with the line that stands for it."""
    lines: tuple[str, ...] = ()
    """Lines that come first: hot dead ends, experiences."""
    recipe: Recipe = RECIPES[Phase.ASSEMBLE]
    """What goes in, by the phase that asks."""


@dataclass(slots=True)
class Assembled:
    """The parts of a context, before they are messages."""

    packed: Packed
    scores: Mapping[int, Qts]
    zones: Mapping[int, Zone]
    sheet: Sheet | None = None
    lines: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    edges: list[tuple[str, str, str]] = field(default_factory=list)


_RANKS = {Zone.KEEP: 0, Zone.COMPRESS: 1, Zone.DROP: 2}
_UNSCORED = Qts(0.0, 0.0, 0.0, 0.0, 0.0)
_SHEET_WINDOW = 200
"""The newest entries whose values a sheet looks at, beside those that QTS finds."""
_KEYS_TITLE = "[Compressed] left out: "
_MOST_EDGES = 40


class Assembler:
    """Assembles contexts of one memory."""

    def __init__(self, library: Library, counter: TokenCounter, settings: CdaSettings, zones: ZoneTable[int]) -> None:
        self._library, self._counter, self._settings, self._zones = library, counter, settings, zones
        self._scorer = QtsScorer(library.entries, library.index, library.graph, settings, library.nearest, library.days)

    def assemble(self, request: Request) -> Assembled:
        """The best use of the room; moves the zones."""
        path = self._path(request)
        always = [*path, *request.retained, *request.failed]
        scores = self.scores(request.focus, always) if request.recipe.candidates else dict.fromkeys(always, _UNSCORED)
        self._zones.update({number: found.score for number, found in scores.items()})
        zones = self._zones.shown(
            scores,
            retained=request.retained,
            path=path,
            ancestors=self._ancestors(scores),
            filtered=request.failed,
        )
        found = Assembled(Packed(request.room), scores, zones)
        self._say(found, request)
        packer = Packer(self._library, self._counter, request.focus.query)
        packer.fill(found.packed, sorted(request.retained, reverse=True), Fidelity.KEY_ONLY)
        self._fill_path(found, packer, path)
        self._fill_sheet(found, request)
        packer.fill(found.packed, self._order(found, request), Fidelity.SUMMARY)
        if self._settings.fill and request.recipe.candidates:
            for number in self._recent(found, request):
                if found.packed.room <= 0:
                    break
                if not packer.is_repeat(found.packed, number):
                    packer.put(found.packed, number, self._library.fidelity(number))
        if request.recipe.keys:
            self._add_keys(found, request)
        self._add_edges(found)
        return found

    def everything(self) -> list[Mapping[str, Any]]:
        """All context items whole, in the order of their coming."""
        return [shown(entry, Fidelity.FULL, "") for entry in self._library.items()]

    def scores(self, focus: Focus, always: Iterable[int] = ()) -> dict[int, Qts]:
        """QTS of the context items that are candidates."""
        found = self._scorer.score(focus, WEIGHTS[self._settings.preset], always)
        if self._library.all_items:
            return found
        is_item = self._library.is_item
        return {number: qts for number, qts in found.items() if is_item(number)}

    def _path(self, request: Request) -> list[int]:
        """The last entries, newest first."""
        if not request.recipe.path:
            return []
        last = len(self._library) - 1
        newest = range(last, max(-1, last - self._settings.path_kept), -1)
        return [number for number in newest if number not in request.failed and self._library.is_item(number)]

    def _ancestors(self, scores: Mapping[int, Qts]) -> set[int]:
        """What entries of the zone keep came from."""
        kept = [number for number in scores if self._zones.zone(number) is Zone.KEEP]
        return {
            edge.to
            for number in kept
            for edge in self._library.graph.edges(number)
            if edge.kind is EdgeKind.BECAUSE and edge.to < number
        }

    def _say(self, found: Assembled, request: Request) -> None:
        """Lines that come first: what was tried and failed, and what a start should know."""
        for line in dict.fromkeys([*request.lines, *request.failed.values()]):
            cost = self._counter.count(line + "\n")
            if cost <= found.packed.room // 4:
                found.lines.append(line)
                found.packed.room -= cost

    def _fill_path(self, found: Assembled, packer: Packer, path: Sequence[int]) -> None:
        """The end of the path, as summaries at least, as far as its share of the room goes; the newest first."""
        packed = found.packed
        share = int(packed.room * self._settings.path_share)
        small = replace(packed, room=share)
        for number in path:
            short = not has_summary(self._library.entries[number])
            packer.put(small, number, Fidelity.FULL if short else Fidelity.SUMMARY)
        packed.room -= share - small.room

    def _fill_sheet(self, found: Assembled, request: Request) -> None:
        """Values of tool outputs, row by row: selection by words loses them."""
        if not self._library.bearing or not request.recipe.candidates:
            return
        last = len(self._library) - 1
        numbers = {*found.scores, *range(max(0, last - _SHEET_WINDOW), last + 1), 0}
        records = [
            record
            for number in sorted(numbers)
            if self._library.is_item(number) and number not in request.failed
            for record in self._library.records(number)
        ]
        wanted = {*terms(request.needs), *terms(request.needs.replace("_", " "))}
        room = int(found.packed.room * self._settings.sheet_share)
        count = self._counter.count
        found.sheet = sheet_of(records, wanted=wanted, used=self._library.used, last=last, room=room, count=count)
        if found.sheet is not None:
            found.packed.room -= count(found.sheet.text)

    def _order(self, found: Assembled, request: Request) -> list[int]:
        """By zone, and by QTS inside a zone; failed traces have their line instead.

        The margin keeps an entry in its zone, and none behind it that scores as high: that goes by its score's zone.
        """
        last = 2 if self._settings.fill else 1
        numbers = [n for n in found.scores if n not in request.failed and _RANKS[found.zones[n]] <= last]
        entries, power, of_score = self._library.entries, self._settings.density, self._zones.of_score
        worth = {n: found.scores[n].score / max(1, entries[n].tokens) ** power for n in numbers}
        ranks = {n: min(_RANKS[found.zones[n]], _RANKS[of_score(found.scores[n].score)]) for n in numbers}
        return sorted(numbers, key=lambda n: (ranks[n], -worth[n], -n))

    def _recent(self, found: Assembled, request: Request) -> Iterable[int]:
        """What no search found, newest first: room that is left is used."""
        for number in range(len(self._library) - 1, -1, -1):
            if number not in found.scores and number not in request.failed and self._library.is_item(number):
                yield number

    def _add_keys(self, found: Assembled, request: Request) -> None:
        """Keys of what the entries kept whole hang on: a context that says what it leaves out can be asked for it."""
        room = min(found.packed.room, int(request.room * self._settings.keys_share)) - self._counter.count(_KEYS_TITLE)
        whole = [number for number, fidelity in found.packed.fidelity.items() if fidelity is Fidelity.FULL]
        for number in sorted(whole, key=lambda n: -found.scores[n].score if n in found.scores else 0.0):
            for edge in self._library.graph.edges(number):
                entry = self._library.entries[edge.to]
                if edge.to in found.packed.messages or entry.id in found.keys or not self._library.is_item(edge.to):
                    continue
                room -= self._counter.count(f"{entry.id}, ")
                if room < 0:
                    return
                found.keys.append(entry.id)

    def _add_edges(self, found: Assembled) -> None:
        """Typed edges between what is shown, but for plain sequence, which the order tells."""
        for number in sorted(found.packed.messages):
            for edge in self._library.graph.edges(number):
                if edge.to < number and edge.to in found.packed.messages and edge.kind is not EdgeKind.FOLLOWS:
                    entries = self._library.entries
                    found.edges.append((entries[number].id, str(edge.kind), entries[edge.to].id))
                    if len(found.edges) >= _MOST_EDGES:
                        return


def messages_of(found: Assembled, counter: TokenCounter) -> list[Mapping[str, Any]]:
    """A context as plain messages: what failed, values, entries in the order of their coming, edges where room is."""
    first = [said("\n".join(found.lines))] if found.lines else []
    if found.sheet is not None:
        first.append(said(found.sheet.text))
    packed = found.packed
    last = []
    if found.keys:
        last.append(said(_KEYS_TITLE + ", ".join(found.keys)))
        packed.room -= counter.count(_KEYS_TITLE + ", ".join(found.keys))
    lines = edge_lines(found.edges, packed.room, counter)
    if lines:
        last.append(said(lines))
        packed.room -= counter.count(lines)
    return [*first, *(packed.messages[number] for number in sorted(packed.messages)), *last]


def edge_lines(edges: Iterable[tuple[str, str, str]], room: int, counter: TokenCounter) -> str:
    """Edges as lines, as many as fit."""
    lines: list[str] = []
    for from_, kind, to in dict.fromkeys(edges):
        cost = counter.count(f"{from_} {kind} {to}\n")
        if cost > room:
            break
        room -= cost
        lines.append(f"{from_} {kind} {to}")
    return "\n".join(lines)
