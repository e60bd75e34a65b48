"""A store on a new database of each kind, and one instance in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.store.database import Database
from engine.store.store import SqlStore
from tests.engine.postgres import Cluster
from tests.engine.store.making import DEFINITION, Run, new_instance
from tests.engine.store.places import Place, PostgresqlPlace, SqlitePlace


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "governor.db"


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, path: Path) -> Iterator[Place]:
    """What holds of a store holds on each. A module about one system has a `place` of its own."""
    if request.param == "sqlite":
        yield SqlitePlace(path)
        return
    cluster: Cluster = request.getfixturevalue("postgres")
    name = cluster.new_database(request.getfixturevalue("postgres_template"))
    yield PostgresqlPlace(cluster.url(name))
    cluster.drop(name)


@pytest.fixture
def store(place: Place) -> Iterator[SqlStore]:
    store = SqlStore(Database(place.where))
    store.deploy(b'{"version":1}', DEFINITION, b"<definitions/>", "Main", "main.bpmn")
    yield store
    store.close()


@pytest.fixture
def run(store: SqlStore) -> Run:
    """An instance that has not advanced yet."""
    store.create(new_instance())
    return Run()
