"""A database of any earlier schema becomes one of ours: the same tables, and its instances go on."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, inspect

import engine.store.migrations
from engine.events import EventType
from engine.store.database import Database
from engine.store.migrations import run as migrations
from engine.store.migrations.run import FIRST, revision_of, revisions
from engine.store.tables import SCHEMA_VERSION
from tests.engine.postgres import Cluster
from tests.engine.store.golden.make import NOON, governor
from tests.engine.store.golden.restore import GOLDEN, of_kind, restore
from tests.engine.store.places import Place, PostgresqlPlace, SqlitePlace

NOT_COMPARED = {"gov_revision"}
"""Alembic's own, which a database has from its first migration on."""


OLDER = [golden for golden in GOLDEN if f"_{SCHEMA_VERSION}." not in golden.name]

UNMARKED = [golden for golden in GOLDEN if int(golden.name.split("_")[1].split(".")[0]) < 16]
"""From before live rows of what has failed were marked."""


@pytest.fixture(params=GOLDEN, ids=lambda golden: golden.name.removesuffix(".gz"))
def golden(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


@pytest.fixture
def place(golden: Path, request: pytest.FixtureRequest, path: Path) -> Place:
    """The golden database, as it was found."""
    made: Place = SqlitePlace(path)
    if of_kind(golden) == "postgresql":
        made = PostgresqlPlace(request.getfixturevalue("postgres_url"))
    restore(golden, made)
    return made


def test_revisions_are_numbered_up_to_the_schema() -> None:
    assert revisions() == [revision_of(schema) for schema in range(FIRST, SCHEMA_VERSION + 1)]


def test_each_of_its_modules_can_be_imported() -> None:
    for module in pkgutil.walk_packages(engine.store.migrations.__path__, "engine.store.migrations."):
        importlib.import_module(module.name)


def test_its_tables_become_those_of_a_new_database(place: Place, request: pytest.FixtureRequest) -> None:
    Database(place.where).close()
    assert place.execute("SELECT version FROM gov_schema") == [(SCHEMA_VERSION,)]
    if isinstance(place, SqlitePlace):
        new: Place = SqlitePlace(place.path.with_name("new.db"))
    else:
        cluster: Cluster = request.getfixturevalue("postgres")
        new = PostgresqlPlace(cluster.url(cluster.new_database()))
    Database(new.where).close()
    assert tables_of(place) == tables_of(new)


def test_its_instances_go_on(place: Place) -> None:
    with governor(place.where) as opened:
        assert opened.result("golden-1").variables == {"x": 1}
        (item,) = opened.store.work_items()
        (asked,) = opened.store.interventions()
        opened.complete(item.id, {"said": 40}, by="ann")
        opened.answer(asked.id, "approve", by="ann")
    with governor(place.where, NOON + timedelta(hours=2)) as opened:
        assert opened.due() == ["golden-2"]
        result = opened.resume("golden-2")
        assert result.status == "completed"
        assert result.variables["total"] == 42
        kinds = [event.type for event in opened.store.events("golden-2")]
        assert kinds.count(EventType.D3) == 1


def test_what_is_stored_is_left_as_it_was(place: Place) -> None:
    before = place.everything()
    Database(place.where).close()
    after = place.everything()
    for name in before.keys() - NOT_COMPARED - {"gov_schema"}:
        # Columns that came later stand at the end.
        width = len(before[name][0]) if before[name] else 0
        assert [row[:width] for row in after[name]] == before[name], name


@pytest.mark.parametrize("golden", UNMARKED, ids=lambda golden: golden.name, indirect=True)
def test_what_failed_before_incidents_were_marked_is_found(place: Place) -> None:
    told = {
        "t901": '[1,"a",0,[0,""],{"phase":"incident","error":"broken","started_at":"2026-01-01"}]',
        "t902": '[1,"b",{"phase":"incident"},[0,""],{"phase":"working"}]',
        "t903": '[1,"c",0,[0,""],null]',
    }
    for key, body in told.items():
        place.execute(
            f"INSERT INTO gov_live (instance, key, body) SELECT min(number), '{key}', '{body}' FROM gov_instance"
        )
    Database(place.where).close()
    assert place.execute("SELECT key FROM gov_live WHERE incident = 1") == [("t901",)]


@pytest.mark.parametrize("golden", OLDER, ids=lambda golden: golden.name, indirect=True)
def test_a_migration_that_fails_leaves_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    before, tables = place.everything(), tables_of(place)

    def half(connection: Connection, found: int) -> None:
        connection.exec_driver_sql("CREATE TABLE gov_half (a integer)")
        connection.exec_driver_sql("ALTER TABLE gov_instance ADD COLUMN half integer")
        raise RuntimeError("power cut")

    monkeypatch.setattr(migrations, "migrate", half)
    with pytest.raises(RuntimeError, match="power cut"):
        Database(place.where)
    assert (place.everything(), tables_of(place)) == (before, tables)
    monkeypatch.undo()
    Database(place.where).close()


def test_alembic_is_paid_for_only_when_it_is_needed(path: Path) -> None:
    code = "import sys; from engine.store.database import Database\n"
    code += "Database(sys.argv[1]).close(); print('alembic' in sys.modules)"
    for _ in ("new", "current"):
        told = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
        assert told.stdout == "False\n"


def tables_of(place: Place) -> dict[str, Any]:
    """What a database system says of its tables, whatever the order of columns."""
    url = f"sqlite:///{place.path}" if isinstance(place, SqlitePlace) else place.where.replace("://", "+psycopg://")
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            found = inspect(connection)
            return {name: _table(found, name) for name in found.get_table_names() if name not in NOT_COMPARED}
    finally:
        engine.dispose()


def _table(found: Any, name: str) -> dict[str, Any]:
    return {
        "columns": {each["name"]: (repr(each["type"]), each["nullable"]) for each in found.get_columns(name)},
        "key": found.get_pk_constraint(name)["constrained_columns"],
        "foreign": sorted(
            (each["constrained_columns"], each["referred_table"]) for each in found.get_foreign_keys(name)
        ),
        "unique": sorted(each["column_names"] for each in found.get_unique_constraints(name)),
        "indexes": sorted(
            (each["name"], each["column_names"], bool(each["unique"])) for each in found.get_indexes(name)
        ),
        "clustered": found.get_table_options(name).get("sqlite_with_rowid"),
    }
