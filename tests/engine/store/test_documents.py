"""Records as JSON texts: what an advance always has goes the quick way."""

from __future__ import annotations

from typing import Any

import pytest

from engine.store import documents
from engine.store.documents import dump
from engine.store.store import SqlStore
from governance.budgets import Pool
from tests.engine.store.making import Run, intervention


def careful(value: Any) -> bytes:
    raise AssertionError(f"{value} went the careful way")


def test_what_has_names_for_its_places_is_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "canonical", careful)
    assert dump({"spent": Pool(7, 0.25, 1.5), "visits": {"a": 1}}) == '{"spent":[7,0.25,1.5],"visits":{"a":1}}'


def test_nothing_of_an_advance_goes_the_careful_way(
    store: SqlStore, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "canonical", careful)
    counters = {"tasks": 1, "visits": {"a": 1}, "spent": Pool(7, 0.25, 1.5), "budget_raised": {}}
    assert store.commit(run.step({"x": 1}, counters=counters, interventions=[intervention("i")])) == 1
    assert store.load(run.instance).instance.counters["spent"] == [7, 0.25, 1.5]


def test_what_is_too_large_for_the_quick_way_is_kept() -> None:
    assert dump({"n": 2**80}) == f'{{"n":{2**80}}}'
