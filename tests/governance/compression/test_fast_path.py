from __future__ import annotations

from typing import Any

import pytest
from immutables import Map

from governance.compression import entries, lines
from governance.compression.compressor import ContextCompressor
from governance.compression.decisions import D1Decision
from governance.similarity.bm25 import Counted
from governance.snapshots.contents import Contents, Totals
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import CommitMeta, Shown, key_of
from governance.snapshots.values import ValueStore
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

    def key(space: str, name: str) -> str:
        looked_at.append(key_of(space, name))
        return looked_at[-1]

    monkeypatch.setattr(entries, "key_of", key)
    decision = context.compressor.evaluate(lowered.id, request(strategy=strategy))
    assert decision.band is Band.MEDIUM
    assert looked_at == ["WORKING/a", "HISTORY/new"]
    assert {change.key for change in decision.changes} == {"WORKING/a", "HISTORY/new"}


def test_a_line_is_split_into_terms_once_however_often_it_is_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    many = {f"WORKING/{number:02}": line_of(f"{number:02}", 300, f"claim{number} paid ") for number in range(30)}
    context, split = Context.of(many), list[str]()

    class Heard(Counted):
        @classmethod
        def of(cls, text: str) -> Counted:
            split.append(text)
            return Counted.of(text)

    monkeypatch.setattr(lines, "Counted", Heard)
    asked = request(12_000, query="claim7 paid")
    first = context.compressor.evaluate(context.head, asked)
    assert first.band is Band.LIGHT
    assert len(split) == 30
    assert context.compressor.evaluate(context.head, asked).changes == first.changes
    assert len(split) == 30
    context.write({"WORKING/new": line_of("new", 300), "WORKING/07": line_of("07", 300)})
    context.compressor.evaluate(context.head, asked)
    assert sorted(each.partition(":")[0] for each in split[30:]) == ["07", "new"]


def test_nothing_is_scored_where_nothing_could_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    context = Context.of({f"WORKING/{number:02}": line_of(f"{number:02}", 190) for number in range(40)})
    monkeypatch.setattr(lines, "Counted", Untouchable())
    decision = context.compressor.evaluate(context.head, request(12_000))
    assert decision.band is Band.LIGHT
    assert not decision.changes
