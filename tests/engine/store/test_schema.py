"""The tables, as SQLite has them and as PostgreSQL would."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.schema import CreateIndex
from sqlmodel import SQLModel

from engine.store.database import Database
from engine.store.schema import METADATA, tell_postgresql
from engine.store.store import SqlStore
from engine.store.tables import SCHEMA_VERSION, EventRow, table
from tests.engine.store.making import Run
from tests.engine.store.places import Place, PostgresqlPlace


def test_a_new_database_has_this_version(store: SqlStore, place: Place) -> None:
    assert place.everything()["gov_schema"] == [(SCHEMA_VERSION,)]


def test_opening_again_changes_nothing(store: SqlStore, place: Place, run: Run) -> None:
    store.commit(run.step({"x": 1}))
    before = place.everything()
    Database(place.where).close()
    assert place.everything() == before


def test_tables_of_a_host_are_left_alone(place: Place) -> None:
    place.execute("CREATE TABLE instance (a integer)")
    Database(place.where).close()
    found = place.everything()
    assert found["instance"] == []
    assert all(name.startswith("gov_") for name in found if name != "instance")
    assert not [name for name in SQLModel.metadata.tables if name.startswith("gov_")]


def test_indexes_of_some_rows_are_of_the_same_rows_everywhere() -> None:
    tell_postgresql()
    systems: list[Any] = [sqlite.dialect(), postgresql.dialect()]  # type: ignore[no-untyped-call]
    on_sqlite, on_postgresql = (_of_some_rows(system) for system in systems)
    assert len(on_sqlite) >= 4
    assert on_sqlite == on_postgresql


def _of_some_rows(system: Any) -> set[str]:
    """How such indexes are made there; the one quotes a word where the other does not."""
    indexes = [index for each in METADATA.sorted_tables for index in each.indexes]
    told = [str(CreateIndex(index).compile(dialect=system)).replace('"', "") for index in indexes]
    return {line for line in told if " WHERE " in line}


@pytest.mark.parametrize(("synchronous", "level"), [("NORMAL", 1), ("FULL", 2), ("OFF", 0)])
def test_connections_to_sqlite_are_set_up(path: Path, synchronous: str, level: int) -> None:
    database = Database(str(path), synchronous=synchronous)  # type: ignore[arg-type]
    with database.read() as connection:
        pragmas = ("journal_mode", "synchronous", "foreign_keys", "secure_delete", "busy_timeout")
        found = [connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() for pragma in pragmas]
    assert found == ["wal", level, 1, 1, 5000]
    database.close()


def test_a_row_needs_its_instance(store: SqlStore) -> None:
    row = {"instance": 99, "seq": 0, "at": "", "type": "D1", "element": None, "branch": "", "data": b"{}"}
    with pytest.raises(IntegrityError, match=r"(?i)foreign key"), store.database.write() as connection:
        connection.execute(insert(table(EventRow)), row)


@pytest.mark.parametrize(("synchronous", "commit"), [("NORMAL", "on"), ("FULL", "on"), ("OFF", "off")])
def test_connections_to_postgresql_are_set_up(postgres_url: str, synchronous: str, commit: str) -> None:
    database = Database(postgres_url, synchronous=synchronous)  # type: ignore[arg-type]
    shown = ("transaction_isolation", "transaction_read_only", "synchronous_commit", "lock_timeout")
    with database.read() as connection:
        found = [connection.exec_driver_sql(f"SHOW {each}").scalar() for each in shown]
    assert found == ["repeatable read", "on", commit, "5s"]
    with database.write() as connection:
        found = [connection.exec_driver_sql(f"SHOW {each}").scalar() for each in shown]
    assert found == ["read committed", "off", commit, "5s"]
    database.close()


def test_postgresql_sorts_by_code_point_and_counts_far(postgres_url: str) -> None:
    Database(postgres_url).close()
    columns = PostgresqlPlace(postgres_url).execute(
        "SELECT data_type, collation_name FROM information_schema.columns WHERE table_name LIKE 'gov_%%'"
    )
    plain = {(kind, None) for kind in ("bigint", "bytea", "double precision", "boolean")}
    assert {*columns} == {("text", "C"), *plain}
