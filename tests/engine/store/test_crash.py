"""A program that is killed in the middle of an advance leaves the state before it, or after it: nothing between."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from engine.store.database import Database
from engine.store.store import SqlStore
from tests.engine.store.making import Run, new_instance
from tests.engine.store.places import Place, SqlitePlace

CHILD = """
import os, signal, sys
from sqlalchemy import event
from engine.store.database import Database
from engine.store.store import SqlStore
from tests.engine.store.making import Run, intervention, work_item
from tests.engine.store.statements import heard

where, when = sys.argv[1:]
store, run = SqlStore(Database(where)), Run()
run.step({"x": 1})
connections = store.database.connections
seen = []

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def before(statement, _rows):
    if str(len(seen)) == when:
        die()
    seen.append(statement)

if when == "commit":
    event.listen(connections, "commit", die)
fields = {"work_items": [work_item("w1")], "interventions": [intervention("i1")], "journal_purge": ["7"]}
with heard(connections, before):
    store.commit(run.step({f"x{n}": n for n in range(70)}, **fields))
die()
"""


@pytest.fixture
def begun(store: SqlStore) -> Run:
    """An instance after one advance, with an answer in its journal; the same that the child begins with."""
    run = Run()
    store.create(new_instance(), run.step({"x": 1}))
    store.journal("abc123").put("7", "c", {"a": 1})
    return run


def killed(place: Place, when: str) -> None:
    result = subprocess.run([sys.executable, "-c", CHILD, place.where, when], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (-signal.SIGKILL, "")


@pytest.mark.parametrize("when", ["1", "4", "7", "9", "commit"])
def test_killed_before_the_commit_nothing_is_there(store: SqlStore, place: Place, begun: Run, when: str) -> None:
    before = place.everything()
    store.close()
    killed(place, when)
    assert place.everything() == before
    again = SqlStore(Database(place.where))
    assert again.load("abc123").instance.version == 1
    assert again.commit(begun.step({"x": 2})) == 2
    again.close()
    assert sound(place)


def test_killed_after_the_commit_all_is_there(store: SqlStore, place: Place, begun: Run) -> None:
    store.close()
    killed(place, "never")
    again = SqlStore(Database(place.where))
    stored = again.load("abc123")
    assert (stored.instance.version, stored.next_seq, list(stored.live)) == (2, 4, ["t2"])
    assert ([each.id for each in stored.work_items], [each.id for each in stored.interventions]) == (["w1"], ["i1"])
    assert again.journal("abc123").get("7", "c") is None
    again.close()
    assert sound(place)


def test_an_answer_that_was_journaled_outlives_the_program(place: Place, store: SqlStore, begun: Run) -> None:
    store.close()
    code = (
        "import os, signal, sys; from engine.store.database import Database; from engine.store.store import SqlStore\n"
        "SqlStore(Database(sys.argv[1])).journal('abc123').put('8', 'c', {'a': 2})\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", code, place.where], check=False)
    again = SqlStore(Database(place.where))
    assert again.journal("abc123").get("8", "c") == {"a": 2}
    again.close()


def sound(place: Place) -> bool:
    return not isinstance(place, SqlitePlace) or place.execute("PRAGMA integrity_check") == [("ok",)]
