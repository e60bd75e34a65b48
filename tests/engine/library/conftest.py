from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.pool import NullPool

from tests.engine.operating.office import Office


@pytest.fixture(params=["sqlite", "postgresql"])
def office(request: pytest.FixtureRequest, tmp_path: Path) -> Office:
    """The same on each kind of database."""
    file = str(tmp_path / "governor.db")
    return Office(file if request.param == "sqlite" else request.getfixturevalue("postgres_url"))


@pytest.fixture
def host(office: Office) -> Iterator[Engine]:
    """A host program's own engine on the same database, with a table of its own."""
    where = office.where
    url = where.replace("postgresql://", "postgresql+psycopg://") if "://" in where else f"sqlite:///{where}"
    office.do(lambda governor: None)  # the tables are made
    engine = create_engine(url, poolclass=NullPool)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE orders (instance TEXT)"))
    yield engine
    engine.dispose()
