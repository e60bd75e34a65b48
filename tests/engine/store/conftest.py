"""A store on a new file, and one instance in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.store.database import Database
from engine.store.store import SqlStore
from tests.engine.store.making import DEFINITION, Run, new_instance


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "governor.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqlStore]:
    store = SqlStore(Database(str(path)))
    store.deploy(b'{"version":1}', DEFINITION, b"<definitions/>", "Main", "main.bpmn")
    yield store
    store.close()


@pytest.fixture
def run(store: SqlStore) -> Run:
    """An instance that has not advanced yet."""
    store.create(new_instance())
    return Run()
