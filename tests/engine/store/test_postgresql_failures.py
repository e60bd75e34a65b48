"""What can be wrong with a PostgreSQL: each has its own error, which names the database and what to do."""

from __future__ import annotations

import sys

import pytest

from engine.store.database import Database
from engine.store.errors import (
    BadDatabaseUrl,
    NewerSchema,
    NoDatabase,
    NotPermitted,
    NotStorable,
    StoreLocked,
    StoreUnavailable,
)
from engine.store.store import SqlStore
from engine.store.tables import SCHEMA_VERSION
from tests.engine.needs import needs_psycopg
from tests.engine.postgres import Cluster
from tests.engine.store.making import Run
from tests.engine.store.places import PostgresqlPlace


@pytest.fixture
def place(postgres_url: str) -> PostgresqlPlace:
    return PostgresqlPlace(postgres_url)


def test_a_server_that_is_not_there_is_told() -> None:
    needs_psycopg()
    with pytest.raises(StoreUnavailable, match=r"@127.0.0.1:1/x: connection failed.*see whether the server runs") as it:
        Database("postgresql://ann:hunter2@127.0.0.1:1/x")
    assert "hunter2" not in str(it.value)


def test_a_database_that_is_not_there_is_told(postgres: Cluster) -> None:
    with pytest.raises(StoreUnavailable, match='database "gone" does not exist'):
        Database(postgres.url("gone"))


def test_tables_are_not_made_where_they_must_be(postgres_url: str) -> None:
    with pytest.raises(NoDatabase, match="no instance was ever run on it"):
        Database(postgres_url, must_exist=True)
    assert PostgresqlPlace(postgres_url).everything() == {}


@pytest.mark.parametrize("scheme", ["postgresql", "postgresql+psycopg", "postgres"])
def test_a_url_may_be_written_in_several_ways(postgres_url: str, scheme: str) -> None:
    Database(postgres_url.replace("postgresql", scheme, 1)).close()
    Database(postgres_url, must_exist=True).close()


def test_psycopg_is_asked_for_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.delitem(sys.modules, "psycopg", raising=False)
    with pytest.raises(BadDatabaseUrl, match=r"pip install 'bpmn-governor\[postgres\]'"):
        Database("postgresql://ann:hunter2@h/db")


def test_who_may_not_make_tables_is_told(postgres: Cluster, postgres_url: str) -> None:
    postgres.execute("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN")
    with pytest.raises(NotPermitted, match="permission denied for schema public; let its user"):
        Database(postgres_url.replace("governor@", "guest@"))


def test_a_newer_schema_is_left_alone(place: PostgresqlPlace) -> None:
    Database(place.where).close()
    place.execute("UPDATE gov_schema SET version = version + 6")
    before = place.everything()
    with pytest.raises(NewerSchema, match="upgrade bpmn-governor") as caught:
        Database(place.where)
    assert (caught.value.found, caught.value.known) == (SCHEMA_VERSION + 6, SCHEMA_VERSION)
    assert place.everything() == before


def test_a_lock_held_for_long_is_told(store: SqlStore, place: PostgresqlPlace, run: Run) -> None:
    impatient = SqlStore(Database(place.where, patience=0.05))
    advance = run.step({"x": 1})
    with store.database.write() as connection:
        connection.exec_driver_sql("SELECT 1 FROM gov_instance FOR UPDATE")
        with pytest.raises(StoreLocked, match=r"locked by another program for more than 0\.05 s"):
            impatient.commit(advance)
        assert impatient.instance("abc123").version == 0  # readers need not wait
    assert impatient.commit(advance) == 1
    impatient.close()


def test_an_advance_finds_another_connection_where_the_server_closed_ours(
    store: SqlStore, place: PostgresqlPlace, run: Run
) -> None:
    store.commit(run.step({"x": 1}))
    store.commit(run.step({"x": 2}))
    others = "datname = current_database() AND pid <> pg_backend_pid()"
    place.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
    assert [store.commit(run.step({"x": number})) for number in (3, 4)] == [3, 4]


def test_what_no_text_may_hold_is_told(store: SqlStore, run: Run) -> None:
    with pytest.raises(NotStorable, match="cannot be stored: PostgreSQL text fields cannot contain NUL"):
        store.commit(run.step({}, live_upserts=[("a\x00b", b"1")]))
    assert store.load("abc123").instance.version == 0


def test_what_is_asked_when_no_connection_can_be_made_is_asked_again(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that is starting anew refuses them for a moment."""
    from psycopg import OperationalError

    database = Database(postgres_url)

    def refused() -> None:
        raise OperationalError("connection failed: server closed the connection unexpectedly")

    monkeypatch.setattr(database.connections, "raw_connection", refused)
    store = SqlStore(database)
    assert store.interventions(instance="i", status=None) == []
    store.close()
