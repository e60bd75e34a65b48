"""SQLite: answers leave no trace in its files once their activity is over."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine.store.database import Database
from engine.store.store import SqlStore
from tests.engine.store.making import Run, new_instance
from tests.engine.store.places import SqlitePlace
from tests.engine.store.states import files_of, where_found

SECRET = "hunter2-hunter2"


@pytest.fixture
def place(path: Path) -> SqlitePlace:
    return SqlitePlace(path)


def test_a_secret_is_in_no_file_after_its_run(store: SqlStore, path: Path, run: Run) -> None:
    store.commit(run.step({"x": 1}))
    store.journal("abc123").put("1", f"call-{SECRET}", {"text": SECRET * 1000})
    assert where_found(path, SECRET) != []
    store.commit(run.step({"x": 2}, journal_purge=["1"]))
    assert store.checkpoint_wal()
    assert where_found(path, SECRET) == []
    assert files_of(path)  # looked at while the store is open


def test_a_secret_is_in_no_file_after_a_completed_run(store: SqlStore, path: Path, run: Run) -> None:
    store.journal("abc123").put("1", "c", {"text": SECRET})
    store.commit(run.step({"x": 1}, status="completed"))
    assert store.checkpoint_wal()
    assert where_found(path, SECRET) == []


@pytest.mark.parametrize("seed", range(4))
def test_no_copy_is_left_in_pages_that_other_answers_share(store: SqlStore, path: Path, run: Run, seed: int) -> None:
    """Answers come and go beside others that stay, so that pages are split and joined with secrets in them."""
    rng = random.Random(seed)
    store.create(new_instance("other"))
    other = Run("other")
    secret, public = store.journal("abc123"), store.journal("other")
    kept: dict[tuple[str, str], str] = {}
    for number in range(300):
        name, call, length = str(rng.randint(0, 60)), f"{rng.getrandbits(40):x}", rng.randint(1, 100)
        if rng.random() < 0.5:
            secret.put(name, call, {"text": SECRET * length})
        else:
            public.put(name, call, {"text": f"{number}" * length})
            kept[name, call] = f"{number}" * length
        if rng.random() < 0.2:
            gone = str(rng.randint(0, 60))
            store.commit(run.step({}, journal_purge=[gone]))
            store.commit(other.step({}, journal_purge=[gone]))
            kept = {key: text for key, text in kept.items() if key[0] != gone}
    store.commit(run.step({}, status="completed"))
    assert store.checkpoint_wal()
    assert where_found(path, SECRET) == []
    assert {key: public.get(*key) for key in kept} == {key: {"text": text} for key, text in kept.items()}


def test_the_journal_is_emptied_by_the_page(store: SqlStore) -> None:
    with store.database.read() as connection:
        steps = {row[1] for row in connection.exec_driver_sql("EXPLAIN DELETE FROM gov_journal")}
    assert "Clear" in steps
    assert "Delete" not in steps


def test_a_log_that_is_in_use_is_told(store: SqlStore, path: Path, run: Run) -> None:
    impatient = SqlStore(Database(str(path), patience=0.05))
    with store.database.read() as connection:
        connection.exec_driver_sql("SELECT 1 FROM gov_schema").all()
        impatient.commit(run.step({"x": 1}))
        assert not impatient.checkpoint_wal()
    assert impatient.checkpoint_wal()
    impatient.close()
