"""What can be wrong with a SQLite file: each has its own error, which names the file and what to do."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import event

from engine.store.database import Database
from engine.store.errors import (
    BadDatabaseUrl,
    NewerSchema,
    NotADatabase,
    NotWritable,
    StoreFull,
    StoreLocked,
    StoreUnavailable,
)
from engine.store.store import SqlStore
from engine.store.tables import SCHEMA_VERSION
from tests.engine.store.making import Run
from tests.engine.store.places import SqlitePlace
from tests.engine.store.states import everything


@pytest.fixture
def place(path: Path) -> SqlitePlace:
    return SqlitePlace(path)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotWritable, match=rf"{tmp_path}/no/g.db: there is no folder {tmp_path}/no, .*--db"):
        Database(str(tmp_path / "no" / "g.db"))


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(NotWritable, match=f"{tmp_path}: is a folder"):
        Database(str(tmp_path))


@pytest.mark.parametrize("content", [b"<definitions/>" * 100, b"x" * 5000])
def test_another_file_is_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(NotADatabase, match=f"{path}: file is not a database; give another"):
        Database(str(path))
    assert path.read_bytes() == content


@pytest.fixture
def closed_folder() -> Iterator[Path]:
    """A folder that others may enter, and nobody but its owner may write to."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)
        yield folder
        folder.chmod(0o755)


OPEN_AS_NOBODY = """
import os, sys
from engine.store.database import Database
from engine.store.errors import StoreError
if os.geteuid() == 0:
    os.setgid(65534); os.setuid(65534)
try: Database(sys.argv[1])
except StoreError as error: print(type(error).__name__, error)
"""


def opened_as_nobody(path: Path) -> str:
    command = [sys.executable, "-c", OPEN_AS_NOBODY, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_a_folder_that_is_closed_is_told(closed_folder: Path) -> None:
    said = opened_as_nobody(closed_folder / "g.db")
    assert said.startswith(f"NotWritable {closed_folder}/g.db: the folder {closed_folder} is not writable; give ")


def test_a_file_that_is_closed_is_told(closed_folder: Path) -> None:
    closed_folder.chmod(0o755)
    Database(str(closed_folder / "g.db")).close()
    (closed_folder / "g.db").chmod(0o444)
    said = opened_as_nobody(closed_folder / "g.db")
    assert said.startswith(f"NotWritable {closed_folder}/g.db: the file is not writable; give ")


def test_a_newer_schema_is_left_alone(path: Path) -> None:
    Database(str(path)).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE gov_schema SET version = version + 6")
    before = everything(path)
    with pytest.raises(NewerSchema, match="upgrade bpmn-governor") as caught:
        Database(str(path))
    assert (caught.value.found, caught.value.known) == (SCHEMA_VERSION + 6, SCHEMA_VERSION)
    assert everything(path) == before


@pytest.mark.parametrize(
    "url",
    [
        "sqlite://",
        "sqlite:///:memory:",
        ":memory:",
        "sqlite:///file:x?mode=memory",
        "mysql://h/db",
        "postgresql+asyncpg://h/db",
        "what://",
        "://x",
    ],
)
def test_other_places_are_refused(url: str) -> None:
    with pytest.raises(BadDatabaseUrl, match="allowed are the path of a SQLite file, sqlite:///PATH and postgresql://"):
        Database(url)


def test_a_password_is_not_told() -> None:
    with pytest.raises(BadDatabaseUrl) as caught:
        Database("mysql://ann:hunter2@host/db")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("name", ["g.db", "a b?c#d%20é.db"])
def test_a_path_is_taken_as_it_is(tmp_path: Path, name: str) -> None:
    Database(str(tmp_path / name)).close()
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_url_names_the_same_file(tmp_path: Path) -> None:
    Database(f"sqlite:///{tmp_path}/g.db").close()
    assert [file.name for file in tmp_path.iterdir()] == ["g.db"]


def test_a_lock_held_for_long_is_told(store: SqlStore, path: Path, run: Run) -> None:
    impatient = SqlStore(Database(str(path), patience=0.05))
    advance = run.step({"x": 1})
    with store.database.write():
        with pytest.raises(StoreLocked, match=f"{path}: locked by another program for more than 0.05 s"):
            impatient.commit(advance)
        assert impatient.instance("abc123").version == 0  # readers need not wait
    assert impatient.commit(advance) == 1
    impatient.close()


def limit_pages(store: SqlStore, pages: int) -> None:
    """As if the disk had room for so many pages."""
    event.listen(
        store.database.connections,
        "connect",
        lambda connection, _: connection.execute(f"PRAGMA max_page_count={pages}"),
    )
    store.database.dialect.release()
    store.database.connections.dispose()


def test_a_full_disk_is_told_and_nothing_is_lost(store: SqlStore, path: Path, run: Run) -> None:
    store.commit(run.step({"x": 1}))
    limit_pages(store, os.path.getsize(path) // 4096 + 60)
    store.commit(run.step({"x": 2}))
    before = everything(path)
    huge = run.step({"x": os.urandom(300_000).hex()})
    with pytest.raises(StoreFull, match=f"{path}: the disk.* full; make room"):
        store.commit(huge)
    assert everything(path) == before
    limit_pages(store, 1_000_000)
    assert store.commit(huge) == 3


def test_a_full_disk_keeps_the_journal_whole(store: SqlStore, path: Path, run: Run) -> None:
    limit_pages(store, os.path.getsize(path) // 4096 + 30)
    journal = store.journal("abc123")
    with pytest.raises(StoreFull):
        journal.put("1", "c", {"text": "x" * 500_000})
    assert journal.get("1", "c") is None


def test_a_damaged_file_is_told(store: SqlStore, path: Path, run: Run) -> None:
    store.commit(run.step({f"x{n}": "y" * 3000 + str(n) for n in range(40)}))
    store.close()
    raw = bytearray(path.read_bytes())
    raw[4096:] = b"\xff" * (len(raw) - 4096)
    path.write_bytes(raw)
    with pytest.raises(StoreUnavailable, match=str(path)):
        SqlStore(Database(str(path))).load("abc123")
