"""What it costs to save an instance: its live tokens, however long its history is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import event

from bpmn.load import load
from engine.embedding import open_governor
from engine.governor import Governor
from engine.store.ids import SequentialIds
from governance.ports import FixedClock
from tests.engine.models import edges, end, gateway, model, script, start, user
from tests.engine.running import BEGIN

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


def cost_of_a_round(governor: Governor) -> tuple[int, int, int]:
    """Statements that write, their rows, the bytes in them. Contents that are kept whole now and then are apart."""
    written: list[tuple[int, int]] = []

    def before(connection: Any, cursor: Any, statement: str, parameters: Any, context: Any, many: bool) -> None:
        if statement.startswith(("INSERT", "UPDATE", "DELETE")) and "gov_checkpoint" not in statement:
            rows = parameters if many else [parameters]
            written.append((len(rows), sum(len(cell) for row in rows for cell in row if isinstance(cell, str | bytes))))

    (item,) = governor.store.work_items()
    connections = governor.store.database.connections  # type: ignore[attr-defined]
    event.listen(connections, "before_cursor_execute", before)
    governor.complete(item.id, {}, by="ann")
    event.remove(connections, "before_cursor_execute", before)
    return len(written), sum(rows for rows, _ in written), sum(size for _, size in written)
