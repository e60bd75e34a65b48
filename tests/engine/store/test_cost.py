"""What it costs to save an instance: its live tokens, however long its history is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bpmn.codec import to_json
from bpmn.definition import Definition
from bpmn.load import load
from engine import definitions
from engine.embedding import open_governor
from engine.governor import Governor
from engine.store.ids import SequentialIds
from governance.ports import FixedClock
from tests.engine.models import edges, end, gateway, model, script, start, user
from tests.engine.running import BEGIN
from tests.engine.store.statements import heard

ROUNDS = model(
    start(), gateway("m", "exclusive"), user("ask"), script("count", "n = n + 1"),
    gateway("again", "exclusive", default="out"), end(),
    edges("s > m > ask > count > again =out=> e", "again -n < 60-> m"),
)  # fmt: skip


def test_saving_costs_what_changed(tmp_path: Path) -> None:
    with open_governor(str(tmp_path / "g.db"), clock=FixedClock(BEGIN), ids=SequentialIds("i-")) as governor:
        governor.start(load(ROUNDS, file="rounds.bpmn"), {"n": 0})
        live = len(governor.store.load("i-1").live)
        costs = [cost_of_a_round(governor) for _ in range(55)]
        assert len(governor.store.load("i-1").live) == live
    early, late = costs[5:15], costs[45:55]
    assert max(late)[0] <= max(early)[0]
    assert sum(rows for _, rows, _ in late) <= 1.05 * sum(rows for _, rows, _ in early)
    assert sum(size for *_, size in late) <= 1.1 * sum(size for *_, size in early)


def test_a_definition_is_written_once_for_all_its_instances(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []

    def write(definition: Definition) -> dict[str, Any]:
        written.append(definition.file)
        return to_json(definition)

    monkeypatch.setattr(definitions, "to_json", write)
    with open_governor(str(tmp_path / "g.db"), clock=FixedClock(BEGIN), ids=SequentialIds("i-")) as governor:
        loaded, again = load(ROUNDS, file="rounds.bpmn"), load(ROUNDS, file="again.bpmn")
        for each in (loaded, loaded, again, loaded, again):
            governor.start(each, {"n": 0})
    assert written == ["rounds.bpmn", "again.bpmn"]


def cost_of_a_round(governor: Governor) -> tuple[int, int, int]:
    """Statements that write, their rows, the bytes in them. Contents that are kept whole now and then are apart."""
    written: list[tuple[int, int]] = []

    def before(statement: str, rows: list[Any]) -> None:
        if statement.startswith(("INSERT", "UPDATE", "DELETE")) and "gov_checkpoint" not in statement:
            written.append((len(rows), sum(len(cell) for row in rows for cell in row if isinstance(cell, str | bytes))))

    (item,) = governor.store.work_items()
    connections = governor.store.database.connections  # type: ignore[attr-defined]
    with heard(connections, before):
        governor.complete(item.id, {}, by="ann")
    return len(written), sum(rows for rows, _ in written), sum(size for _, size in written)
