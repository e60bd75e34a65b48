"""A PostgreSQL server for those tests that ask for one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.store.database import Database
from tests.engine.needs import needs_postgresql
from tests.engine.postgres import Cluster, cluster


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """One server for all tests of a program."""
    needs_postgresql()
    with cluster() as made:
        yield made


@pytest.fixture
def postgres_url(postgres: Cluster) -> Iterator[str]:
    """The URL of an empty database."""
    name = postgres.new_database()
    yield postgres.url(name)
    postgres.drop(name)


@pytest.fixture(scope="session")
def postgres_template(postgres: Cluster) -> str:
    """A database with our tables, to copy: that is faster than to make them."""
    name = postgres.new_database()
    Database(postgres.url(name)).close()
    return name
