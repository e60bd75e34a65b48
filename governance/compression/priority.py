"""In which order entries fall: the least relevant to the coming activity first (Design: D1 compress, priority)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from governance.cda.settings import WEIGHTS
from governance.compression.decisions import D1Request
from governance.compression.entries import Entry
from governance.compression.units import Unit
from governance.similarity.bm25 import bm25_scores
from governance.snapshots.metadata import meta
from governance.snapshots.model import EntryMeta, Item
from governance.snapshots.render import record_outputs, render_line
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
    scores = bm25_scores(request.query, [render_line(values, entry.key, entry.item) for entry in entries])
    qts = _Qts(request, values)
    ranks = {entry: qts.rank(entry, score) for entry, score in zip(entries, scores, strict=True)}
    return sorted(listed, key=lambda unit: max(ranks[entry] for entry in unit.entries))


def qts_of(entries: Iterable[Entry], request: D1Request, values: ValueStore) -> dict[Entry, float]:
    """QTS of each entry for the coming activity, by all that it says, however little of it is shown."""
    listed = list(entries)
    texts = [render_line(values, entry.key, Item(entry.item.value, entry.item.meta)) for entry in listed]
    qts = _Qts(request, values)
    scores = bm25_scores(request.query, texts)
    return {entry: qts.rank(entry, score)[0] for entry, score in zip(listed, scores, strict=True)}


class _Qts:
    """QTS of entries for one request; parts that the request says nothing of leave their weight to the others."""

    def __init__(self, request: D1Request, values: ValueStore) -> None:
        self._request, self._values = request, values
        weights = WEIGHTS[request.policy.qts_preset]
        self._own = request.scopes.get(request.activity)
        self._steps = _steps(request.path)
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
        has = self._has(entry)
        intent, phase = bm25 / (bm25 + _INTENT_HALF), self._phase(written.activity)
        parts = (intent, phase, self._tool(has), self._causal(written, has))
        score = sum(weight * part for weight, part in zip(self._weights, parts, strict=True))
        return (score, written.created_at, written.step, entry.key)

    def _phase(self, activity: str) -> float:
        """1 in the same sub-process or lane, 0.5 elsewhere in the process."""
        return 1.0 if self._own is not None and self._request.scopes.get(activity) == self._own else 0.5

    def _tool(self, has: frozenset[str]) -> float:
        """Overlap coefficient of what the entry has and what the coming activity needs."""
        needs = self._request.needs
        return len(has & needs) / min(len(has), len(needs)) if has and needs else 0.0

    def _causal(self, written: EntryMeta, has: frozenset[str]) -> float:
        """1 / (1 + d): steps back on the path to who wrote it; 1 for data that the coming activity reads."""
        steps = 1 if has & self._request.inputs else self._steps.get(written.activity)
        return 0.0 if steps is None else 1.0 / (1 + steps)

    def _has(self, entry: Entry) -> frozenset[str]:
        """Data objects and tools of an entry: a variable's name; of a record what it read, wrote and used."""
        if entry.space != Layer.HISTORY:
            return frozenset((entry.name,))
        record = self._values.get(entry.item.value)
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
