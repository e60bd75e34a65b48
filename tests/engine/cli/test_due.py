"""`governor resume --due`: what is due is moved on, and nothing else."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bpmn.load import load
from engine.embedding import open_governor
from engine.store.ids import SequentialIds
from governance.ports import FixedClock
from tests.bpmn.files import policy
from tests.engine.cli.command import governor
from tests.engine.models import boundary, edges, end, model, script, service, start, timer, user

LONG_AGO, FAR_OFF = datetime(2020, 1, 1, tzinfo=UTC), datetime(2999, 1, 1, tzinfo=UTC)
WAITS = model(start(), f'<intermediateCatchEvent id="w">{timer("PT1H")}</intermediateCatchEvent>', end(),
              edges("s > w > e"))  # fmt: skip
LATE = model(start(), user("u"), boundary("b", "u", timer("PT1H"), interrupting=False), script("n", "reminded = True"),
             end(), end("f"), edges("s > u > e", "b > n > f"))  # fmt: skip
TWICE = model(
    start(), f'<intermediateCatchEvent id="w">{timer("PT1H")}</intermediateCatchEvent>',
    f'<intermediateCatchEvent id="v">{timer("PT1H")}</intermediateCatchEvent>', end(), edges("s > w > v > e"),
)  # fmt: skip
PREVIEW = '<gov:policy interactionLevel="DIFF_PREVIEW"><gov:approval due="PT1H" default="approve"/></gov:policy>'
ASKS = model(start(), user("u", policy(PREVIEW)), end(), edges("s > u > e"))
LACKS = model(start(), f'<intermediateCatchEvent id="w">{timer("PT1H")}</intermediateCatchEvent>', service("a", "gone"),
              end(), edges("s > w > a > e"))  # fmt: skip


@pytest.fixture
def database(tmp_path: Path) -> str:
    return str(tmp_path / "governor.db")


def begun(database: str, source: bytes, name: str, at: datetime = LONG_AGO, settings: object = None) -> None:
    with open_governor(database, clock=FixedClock(at), ids=SequentialIds(name)) as opened:
        result = opened.start(load(source, file="m.bpmn"), {}, settings=settings)  # type: ignore[arg-type]
        for each in result.waiting:
            if each["kind"] == "work_item" and source is ASKS:
                opened.complete(each["id"], {"x": 1}, by="ann")


def test_each_due_instance_is_moved_once(database: str) -> None:
    begun(database, WAITS, "done")
    begun(database, WAITS, "later", FAR_OFF)
    begun(database, LATE, "reminded")
    begun(database, TWICE, "twice")
    begun(database, ASKS, "asked")
    told = governor("resume", "--due", "--db", database, "--json")
    assert told.code == 0
    moved = {each["instance"]: each for each in told.json["resumed"]}
    assert {id: each["status"] for id, each in moved.items()} == {
        "done1": "completed", "reminded1": "waiting", "twice1": "waiting", "asked1": "completed"
    }  # fmt: skip
    assert moved["reminded1"]["variables"] == {"reminded": True}
    assert [each["answer"]["by"] for each in moved["asked1"]["interventions"]] == ["timeout"]
    assert governor("resume", "--due", "--db", database).out == "Nothing is due.\n"


def test_one_that_cannot_be_moved_does_not_keep_others(database: str) -> None:
    begun(database, LACKS, "broken", settings={"simulate": True})
    begun(database, WAITS, "whole")
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE gov_instance SET settings = '{}' WHERE id = 'broken1'")
    connection.close()
    told = governor("resume", "--due", "--db", database)
    assert told.code == 1
    assert "whole1  completed" in told.out
    assert "broken1  " in told.out


@pytest.mark.parametrize("arguments", [(), ("x-1", "--due"), ("--due", "--answers", "a.yaml")])
def test_one_instance_or_all_that_are_due(database: str, arguments: tuple[str, ...]) -> None:
    begun(database, WAITS, "x")
    assert governor("resume", *arguments, "--db", database).code == 2
