"""The benchmark of waiting instances measures instances that do wait, each by itself, on both databases."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.waiting import fill, run
from engine.embedding import open_governor
from tests.engine.needs import needs_postgresql
from tests.engine.postgres import cluster


def test_the_copies_are_instances_of_their_own(tmp_path: Path) -> None:
    db = str(tmp_path / "w.db")
    fill(db, 3)
    with open_governor(db) as governor:
        waiting = governor.store.instances(status="waiting")
        assert [each.id for each in waiting] == ["w1000003", "w1000002", "w1000001", "origin-1"]
        assert len({item.id for item in governor.store.work_items()}) == 4
        (item,) = governor.store.work_items(instance="w1000002")
        governor.complete(item.id, {"decision": "pay"}, by="ann")
        assert governor.correlate("w1000002", "withdrawn").status == "completed"
        assert governor.result("w1000003").status == "waiting"
        assert governor.result("w1000003").variables == {"amount": 1200, "claimant": "maria"}


@pytest.mark.slow
def test_figures_are_measured_on_postgresql() -> None:
    needs_postgresql()
    with cluster() as made:
        figures = {each.name: each.value for each in run(made.url(made.new_database()), 60)}
    assert figures.keys() == {f"durability.waiting.{name}" for name in ("startup", "memory", "answer", "due", "bytes")}
    assert all(value is not None and value > 0 for value in figures.values())
