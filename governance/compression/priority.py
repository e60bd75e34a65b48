"""In which order entries fall: the least relevant to the coming activity first (Design: D1 compress, priority)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from governance.cda.settings import WEIGHTS
from governance.compression.decisions import D1Request
from governance.compression.entries import Entry
from governance.compression.lines import counted_line
from governance.compression.units import Unit
from governance.similarity.bm25 import counted_scores
from governance.snapshots.metadata import meta
from governance.snapshots.model import Item
from governance.snapshots.render import record_outputs
from governance.snapshots.values import ValueStore
from governance.vocabulary import Layer

Rank = tuple[float, str, int, str]

_INTENT_HALF: Final = 4.0
_FARTHEST: Final = 6
"""Steps back on the path that count."""


def by_priority(units: Iterable[Unit], request: D1Request, values: ValueStore) -> list[Unit]:
    """The units, lowest priority first; a unit has the priority of its most relevant entry.

    Priority is QTS of the entry for the coming activity; of equals the older comes first. Only what is given is scored.
    """
    listed = list(units)
    entries = [entry for unit in listed for entry in unit.entries]
    scores = counted_scores(request.query, [counted_line(values, entry.key, entry.item) for entry in entries])
    rank = _Qts(request, values).rank
    ranks = map(rank, entries, scores)
    of_units = [max([next(ranks) for _ in unit.entries]) if len(unit.entries) > 1 else next(ranks) for unit in listed]
    return [listed[place] for place in sorted(range(len(listed)), key=of_units.__getitem__)]


def qts_of(entries: Iterable[Entry], request: D1Request, values: ValueStore) -> dict[Entry, float]:
    """QTS of each entry for the coming activity, by all that it says, however little of it is shown."""
    listed = list(entries)
    lines = [counted_line(values, entry.key, Item(entry.item.value, entry.item.meta)) for entry in listed]
    qts = _Qts(request, values)
    scores = counted_scores(request.query, lines)
    return {entry: qts.rank(entry, score)[0] for entry, score in zip(listed, scores, strict=True)}


class _Qts:
    """QTS of entries for one request; parts that the request says nothing of leave their weight to the others."""

    def __init__(self, request: D1Request, values: ValueStore) -> None:
        self._request, self._values = request, values
        weights = WEIGHTS[request.policy.qts_preset]
        self._own = request.scopes.get(request.activity)
        self._steps = _steps(request.path)
        self._by_activity: dict[str, tuple[float, float]] = {}
        parts = (
            (weights.intent, True),
            (weights.phase, self._own is not None),
            (weights.tool, bool(request.needs)),
            (weights.causal, bool(self._steps)),
        )
        total = sum(weight for weight, there in parts if there) or 1.0
        self._weights = [weight / total if there else 0.0 for weight, there in parts]

    def rank(self, entry: Entry, bm25: float) -> Rank:
        written = meta(self._values, entry.item.meta)
        activity = written.activity
        known = self._by_activity.get(activity)
        if known is None:
            known = self._by_activity[activity] = self._phase(activity), self._causal(self._steps.get(activity))
        phase, causal = known
        request = self._request
        if entry.space == Layer.HISTORY:
            has = self._has(entry)
            reads, tool = not has.isdisjoint(request.inputs), self._tool(has)
        else:
            reads, tool = entry.name in request.inputs, 1.0 if entry.name in request.needs else 0.0
        if reads:
            causal = self._causal(1)
        of_intent, of_phase, of_tool, of_cause = self._weights
        score = of_intent * (bm25 / (bm25 + _INTENT_HALF)) + of_phase * phase + of_tool * tool + of_cause * causal
        return (score, written.created_at, written.step, entry.key)

    def _phase(self, activity: str) -> float:
        """1 in the same sub-process or lane, 0.5 elsewhere in the process."""
        return 1.0 if self._own is not None and self._request.scopes.get(activity) == self._own else 0.5

    def _tool(self, has: frozenset[str]) -> float:
        """Overlap coefficient of what the entry has and what the coming activity needs."""
        needs = self._request.needs
        return len(has & needs) / min(len(has), len(needs)) if has and needs else 0.0

    def _causal(self, steps: int | None) -> float:
        """1 / (1 + d): steps back on the path to who wrote it; one step for data that the coming activity reads."""
        return 0.0 if steps is None else 1.0 / (1 + steps)

    def _has(self, entry: Entry) -> frozenset[str]:
        """Data objects and tools of a record: what it read, wrote and used. A variable's is its name."""
        known = self._values.derived("data and tools of records")
        found: frozenset[str] | None = known.get(entry.item.value)
        if found is None:
            found = known[entry.item.value] = _named(self._values.get(entry.item.value))
        return found


def _named(record: Any) -> frozenset[str]:
    if not isinstance(record, Mapping):
        return frozenset()
    outputs = record_outputs(record) or ()
    return frozenset([*record.get("inputs", ()), *(name for name, _ in outputs), *record.get("tools", ())])


def _steps(path: Iterable[str]) -> Mapping[str, int]:
    """How many steps ago each of the last activities of a path was done, the shortest."""
    found: dict[str, int] = {}
    for steps, name in enumerate(reversed(list(path)), 1):
        if steps > _FARTHEST:
            break
        found.setdefault(name.partition(":")[2], steps)
    return found
