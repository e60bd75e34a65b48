from __future__ import annotations

from typing import Any

import pytest

from governance.compression.compressor import ContextCompressor
from governance.compression.decisions import D1Decision
from governance.snapshots.contents import Contents, Totals
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.values import ValueStore
from governance.vocabulary import Band
from tests.governance.compression.contexts import LATER, request


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
    monkeypatch.setattr(Contents, "space", lambda self, name: TotalsOnly())
    graph = SnapshotGraph(ValueStore())
    monkeypatch.setattr(graph, "contents", lambda snapshot: Contents())
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
