"""In which order entries fall: the least relevant to the coming activity first (Design: D1 compress, priority)."""

from __future__ import annotations

from collections.abc import Iterable

from governance.compression.entries import Entry
from governance.compression.units import Unit
from governance.similarity.bm25 import bm25_scores
from governance.snapshots.metadata import meta
from governance.snapshots.render import render_line
from governance.snapshots.values import ValueStore

Rank = tuple[float, str, int, str]


def by_priority(units: Iterable[Unit], query: str, values: ValueStore) -> list[Unit]:
    """The units, lowest priority first; a unit has the priority of its most relevant entry.

    Priority is BM25 of the line as shown for `query`; of equals the older comes first. Only what is given is scored.
    """
    listed = list(units)
    entries = [entry for unit in listed for entry in unit.entries]
    scores = bm25_scores(query, [render_line(values, entry.key, entry.item) for entry in entries])
    ranks = {entry: _rank(entry, score, values) for entry, score in zip(entries, scores, strict=True)}
    return sorted(listed, key=lambda unit: max(ranks[entry] for entry in unit.entries))


def _rank(entry: Entry, score: float, values: ValueStore) -> Rank:
    written = meta(values, entry.item.meta)
    return (score, written.created_at, written.step, entry.key)
