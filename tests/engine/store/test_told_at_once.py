"""An advance comes to the same rows however its statements are told: one by one, many at once, or as a single one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from engine.store import gathered
from engine.store.advance import Advance
from engine.store.database import Database
from engine.store.plain import Plain
from engine.store.store import SqlStore
from engine.store.tables import EventRow, LiveRow, table
from tests.engine.postgres import Cluster
from tests.engine.store.making import DEFINITION, Run, intervention, new_instance, work_item
from tests.engine.store.places import Place, PostgresqlPlace, SqlitePlace
from tests.engine.store.states import Rows

_SQL = PGDialect_psycopg()  # type: ignore[no-untyped-call]


def said(place: Place, monkeypatch: pytest.MonkeyPatch) -> tuple[Rows, list[str]]:
    """What two advances leave behind that write to all tables, and what was executed by cursors for the last one."""
    store = SqlStore(Database(place.where), salts=lambda: b"s" * 16)
    store.deploy(b'{"version":1}', DEFINITION, b"<definitions/>", "Main", "main.bpmn")
    store.create(new_instance())
    store.journal("abc123").put("7", "c", {"a": 1})
    run = Run()
    store.commit(run.step({"x": 1}, work_items=[work_item("w1")], live_upserts=[("k", b"1"), ("gone", b"2")]))
    executed: list[str] = []
    if isinstance(place, PostgresqlPlace):
        import psycopg

        monkeypatch.setattr(psycopg, "RawCursor", _hears(psycopg.RawCursor, executed))
    store.commit(_full(run))
    store.close()
    return place.everything(), executed


def _full(run: Run) -> Advance:
    return run.step(
        {"x": 2, "y": None},
        work_items=[work_item("w1"), work_item("w2")],
        interventions=[intervention("i1")],
        live_upserts=[("k", b"3"), ("new", b"4"), ("%(key)s", b"100%")],
        live_deletes=["gone", "never there"],
        journal_purge=["7", "8"],
    )


def _hears(kind: type[Any], executed: list[str]) -> type[Any]:
    class Hearing(kind):  # type: ignore[misc]
        def execute(self, query: Any, *args: Any, **more: Any) -> Any:
            executed.append(str(query))
            return super().execute(query, *args, **more)

    return Hearing


@pytest.fixture
def fresh(postgres: Cluster, postgres_template: str) -> Callable[[], PostgresqlPlace]:
    return lambda: PostgresqlPlace(postgres.url(postgres.new_database(postgres_template)))


def test_one_statement_leaves_the_same_rows_as_one_by_one(
    fresh: Callable[[], PostgresqlPlace], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_file, _ = said(SqlitePlace(tmp_path / "governor.db"), monkeypatch)
    single, executed = said(fresh(), monkeypatch)
    assert [each.partition(" ")[0] for each in executed] == ["b'WITH"]
    monkeypatch.setattr(gathered, "_MOST_ROWS", 0)
    apart, executed = said(fresh(), monkeypatch)
    assert executed == []
    assert single == apart
    assert {name: len(rows) for name, rows in single.items()} == {name: len(rows) for name, rows in on_file.items()}
    assert ("k", "3") in [(row[1], row[2]) for row in single["gov_live"]]


def test_a_statement_for_several_takes_each_value_at_its_place() -> None:
    live, events = Plain(table(LiveRow).insert(), _SQL), Plain(table(EventRow).insert(), _SQL)
    text = gathered.Texts().of(((live, 1), (events, 2))).decode()
    assert text.startswith("WITH s0 AS (INSERT INTO gov_live (instance, key, body, incident) VALUES ($1")
    assert "RETURNING 1), s1 AS (INSERT INTO gov_event" in text
    assert text.endswith("SELECT count(*) FROM s0")
    assert [int(place) for place in re.findall(r"\$(\d+)", text)] == list(range(1, 4 + 2 * 7 + 1))


def test_texts_are_made_once_and_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathered, "_MOST_TEXTS", 2)
    live, texts = Plain(table(LiveRow).insert(), _SQL), gathered.Texts()
    first = texts.of(((live, 1),))
    assert texts.of(((live, 1),)) is first
    for rows in (2, 3, 4):
        texts.of(((live, rows),))
    assert len(texts._made) <= 2
    assert texts.of(((live, 1),)) == first
