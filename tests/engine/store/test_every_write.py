"""Whatever writes is done again where the database broke it off, and is done once, even if that was at the commit."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import engine.store
from engine.store.database import Database
from engine.store.errors import StoreInterrupted
from tests.engine.postgres import Cluster
from tests.engine.store.places import Place, PostgresqlPlace, SqlitePlace
from tests.engine.store.writing_calls import ONLY_POSTGRESQL, READS, WRITES, Desk

CALLS = [(kind, name) for kind, calls in WRITES.items() for name in calls]
_TOKEN = re.compile(r":[0-9a-f]{8}$")
_BY_BLOCKS = {"database.py", "host.py", "workers.py"}
"""Where transactions are made, and where one is the caller's block."""


@pytest.fixture
def places(request: pytest.FixtureRequest, tmp_path: Path, kind: type, name: str) -> Iterator[tuple[Place, Place]]:
    """Two databases of one kind: the server where only it has what the call needs."""
    if (kind, name) not in ONLY_POSTGRESQL:
        yield SqlitePlace(tmp_path / "one.db"), SqlitePlace(tmp_path / "two.db")
        return
    cluster: Cluster = request.getfixturevalue("postgres")
    names = [cluster.new_database(request.getfixturevalue("postgres_template")) for _ in range(2)]
    yield PostgresqlPlace(cluster.url(names[0])), PostgresqlPlace(cluster.url(names[1]))
    for name in names:
        cluster.drop(name)


@contextmanager
def broken_off(database: Database, when: str) -> Iterator[list[int]]:
    """Each first try of a transaction that writes is broken off, before it is committed or after that."""
    write, at_once, tries = database.write, database.dialect.at_once, list[int]()

    @contextmanager
    def breaking(begin: Callable[..., AbstractContextManager[Any]], *given: Any) -> Iterator[Any]:
        tries.append(len(tries))
        last = len(tries) % 2 == 0
        with begin(*given) as connection:
            yield connection
            if when == "before" and not last:
                raise StoreInterrupted(database.name, "a test")
        if not last:
            raise StoreInterrupted(database.name, "a test")

    database.write = partial(breaking, write)  # type: ignore[method-assign]
    database.dialect.at_once = partial(breaking, at_once)  # type: ignore[method-assign]
    try:
        yield tries
    finally:
        database.write = write  # type: ignore[method-assign]
        database.dialect.at_once = at_once  # type: ignore[method-assign]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(("kind", "name"), CALLS, ids=[f"{kind.__name__}.{name}" for kind, name in CALLS])
def test_it_is_done_once(places: tuple[Place, Place], tmp_path: Path, kind: type, name: str, when: str) -> None:
    call = WRITES[kind][name]
    calm, shaken = (Desk(place.where, tmp_path) for place in places)
    before = told(places[1])
    with closing(calm.store), closing(shaken.store):
        expected = call(calm)
        with broken_off(shaken.store.database, when) as tries:
            found = call(shaken)
        assert tries, "it did not write"
        assert _plain(found) == _plain(expected)
        assert told(places[1]) == told(places[0])
        assert told(places[0]) != before or name in ("checkpoint_wal", "beat", "abandon", "take")


def test_every_call_of_the_store_is_among_those_that_write_or_read() -> None:
    assert WRITES.keys() == READS.keys()
    for kind in WRITES:
        public = {name for name, _ in inspect.getmembers(kind, inspect.isfunction) if not name.startswith("_")}
        assert public == WRITES[kind].keys() | READS[kind], kind.__name__


def test_nothing_else_begins_a_transaction_that_is_not_done_again() -> None:
    folder = Path(str(engine.store.__path__[0]))
    found = [
        (path.name, node.lineno)
        for path in sorted(folder.rglob("*.py"))
        if path.name not in _BY_BLOCKS
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "write"
        if isinstance(node.func.value, ast.Name | ast.Attribute) and "database" in ast.unparse(node.func.value)
    ]
    assert found == []


def told(place: Place) -> dict[str, list[Any]]:
    """What stands in the tables, but for times by the clock and names by chance."""
    return {name: sorted(map(_plain, rows), key=repr) for name, rows in place.everything().items()}


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return "a number by the clock"
    if isinstance(value, str):
        return _TOKEN.sub("", value)
    return tuple(map(_plain, value)) if isinstance(value, tuple | list) else value
