"""The tables, as SQLite has them and as PostgreSQL would."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import insert
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import IntegrityError
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlmodel import SQLModel

from engine.store.database import Database
from engine.store.store import SqlStore
from engine.store.tables import SCHEMA_VERSION, Base, EventRow, table
from tests.engine.store.making import Run
from tests.engine.store.states import everything


def test_a_new_database_has_this_version(store: SqlStore, path: Path) -> None:
    assert everything(path)["gov_schema"] == [(SCHEMA_VERSION,)]


def test_opening_again_changes_nothing(store: SqlStore, path: Path, run: Run) -> None:
    store.commit(run.step({"x": 1}))
    before = everything(path)
    Database(str(path)).close()
    assert everything(path) == before


def test_tables_of_a_host_are_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE instance (a)")
    Database(str(path)).close()
    assert everything(path)["instance"] == []
    assert all(name.startswith("gov_") for name in everything(path) if name != "instance")
    assert not [name for name in SQLModel.metadata.tables if name.startswith("gov_")]


@pytest.mark.parametrize(("synchronous", "level"), [("NORMAL", 1), ("FULL", 2), ("OFF", 0)])
def test_connections_are_set_up(path: Path, synchronous: str, level: int) -> None:
    database = Database(str(path), synchronous=synchronous)  # type: ignore[arg-type]
    with database.read() as connection:
        pragmas = ("journal_mode", "synchronous", "foreign_keys", "secure_delete", "busy_timeout")
        found = [connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() for pragma in pragmas]
    assert found == ["wal", level, 1, 1, 5000]
    database.close()


def test_a_row_needs_its_instance(store: SqlStore) -> None:
    row = {"instance": 99, "seq": 0, "at": "", "type": "D1", "element": None, "branch": "", "data": b"{}"}
    with pytest.raises(IntegrityError, match="FOREIGN KEY"), store.database.write() as connection:
        connection.execute(insert(table(EventRow)), row)


def test_the_tables_can_be_made_on_postgresql() -> None:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    for each in Base.metadata.sorted_tables:
        made = str(CreateTable(each).compile(dialect=dialect))
        assert "ROWID" not in made
        for index in each.indexes:
            assert str(CreateIndex(index).compile(dialect=dialect))
