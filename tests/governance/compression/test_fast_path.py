from __future__ import annotations

from typing import Any

import pytest
from immutables import Map

from governance.compression import entries
from governance.compression.compressor import ContextCompressor
from governance.compression.decisions import D1Decision
from governance.snapshots.contents import Contents, Totals
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import CommitMeta, Item, Shown
from governance.snapshots.render import shown_size
from governance.snapshots.values import Size, ValueStore
from governance.vocabulary import Band, Fidelity, Layer
from tests.governance.compression.contexts import LATER, START, Context, line_of, request


class TotalsOnly:
    """A space of which nothing but the totals may be read."""

    totals = Totals(entries=100, chars=599, tokens=150)

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} was read")


class Untouchable:
    """A collaborator that must not be used."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} was used")


@pytest.mark.parametrize("verb", ["evaluate", "compress"])
def test_the_band_none_reads_totals_and_nothing_else(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spaces = Map({layer.value: TotalsOnly() for layer in Layer if layer is not Layer.EPHEMERAL})
    graph = SnapshotGraph(ValueStore())
    monkeypatch.setattr(graph, "contents", lambda snapshot: Contents(spaces=spaces))
    monkeypatch.setattr(graph, "values", Untouchable())
    monkeypatch.setattr(graph, "commit", Untouchable())
    compressor = ContextCompressor(graph, Untouchable())
    decision: D1Decision = (
        compressor.evaluate("head", request())
        if verb == "evaluate"
        else compressor.compress("head", request(), LATER)
    )
    assert decision.band is Band.NONE
    assert decision.snapshot_after == decision.snapshot_before == "head"
    assert decision.before.tokens == 5 * 150


@pytest.mark.parametrize("strategy", ["SUMMARY", "AGGRESSIVE"])
def test_the_medium_band_passes_over_what_history_keeps_by_key(strategy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    old = {f"HISTORY/{number:03}": line_of(f"{number:03}", 300) for number in range(300)}
    context = Context.of({"WORKING/a": line_of("a", 850), **old, "HISTORY/new": line_of("new", 300)})
    by_key = Shown(Fidelity.KEY_ONLY, context.graph.values.put("a decision"))
    lowered = context.graph.commit([context.head], shown=dict.fromkeys(old, by_key), meta=CommitMeta("D1", at=START))
    looked_at: list[str] = []

    def size(values: ValueStore, key: str, item: Item) -> Size:
        looked_at.append(key)
        return shown_size(values, key, item)

    monkeypatch.setattr(entries, "shown_size", size)
    decision = context.compressor.evaluate(lowered.id, request(strategy=strategy))
    assert decision.band is Band.MEDIUM
    assert looked_at == ["WORKING/a", "HISTORY/new"]
    assert {change.key for change in decision.changes} == {"WORKING/a", "HISTORY/new"}
