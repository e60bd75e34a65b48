"""A graph on a stored instance gives what was written, reading little and each thing once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from engine.store import sources
from engine.store.errors import Damaged
from engine.store.packing import unpack
from engine.store.read_ahead import CHUNK, SMALL
from engine.store.store import SqlStore
from governance.errors import UnknownSnapshot, UnknownValue
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import CommitMeta, Shown
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity
from tests.engine.store.making import Run, new_instance
from tests.engine.store.places import Place


def reopened(store: SqlStore, instance: str = "abc123") -> SnapshotGraph:
    source = store.source(instance)
    return SnapshotGraph(ValueStore(source.load), source)


@contextmanager
def counted(store: SqlStore) -> Iterator[list[str]]:
    """The queries that are sent meanwhile."""
    seen: list[str] = []

    def before(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith("SELECT"):
            seen.append(statement)

    event.listen(store.database.connections, "before_cursor_execute", before)
    yield seen
    event.remove(store.database.connections, "before_cursor_execute", before)


@pytest.fixture
def long(store: SqlStore, run: Run) -> Run:
    """600 steps, committed in advances of 100."""
    for step in range(600):
        run.write({f"x{step % 40}": f"value {step}", "last": step})
        if step % 100 == 99:
            store.commit(run.advance())
    return run


def test_contents_come_back_equal(store: SqlStore, long: Run) -> None:
    graph = reopened(store)
    assert long.head is not None
    assert graph.contents(long.head) == long.graph.contents(long.head)
    assert list(graph.log(long.head)) == list(long.graph.log(long.head))


def test_every_snapshot_can_be_restored(store: SqlStore, long: Run) -> None:
    graph = reopened(store)
    assert long.head is not None
    for commit in list(long.graph.log(long.head))[::37]:
        assert reopened(store).contents(commit.id) == graph.contents(commit.id) == long.graph.contents(commit.id)


def test_the_values_of_contents_are_read_together(store: SqlStore, long: Run) -> None:
    graph = reopened(store)
    assert long.head is not None
    with counted(store) as queries:
        contents = graph.contents(long.head)
        found = {name: graph.values.get(item.value) for name, item in contents.items("WORKING")}
    assert found == {"last": 599, **{f"x{step % 40}": f"value {step}" for step in range(560, 600)}}
    assert len(queries) <= 12


def test_the_whole_log_is_read_in_windows(store: SqlStore, long: Run) -> None:
    graph = reopened(store)
    assert long.head is not None
    with counted(store) as queries:
        assert len(list(graph.log(long.head))) == 600
    assert len(queries) == 2 * -(-600 // sources.AT_ONCE)


def test_commits_of_many_branches_are_read_once(store: SqlStore, run: Run) -> None:
    root = run.write({"x": 0})
    heads = [run.write({f"b{branch}": branch}, [root]) for branch in range(600)]
    longer = [run.write({f"c{branch}": 1}, [head]) for branch, head in enumerate(heads[:300])]
    store.commit(run.advance())
    asked = [root, *heads[::2], *longer, *heads[1::2]]
    graph = reopened(store)
    with counted(store) as queries:
        assert [graph.get(snapshot).id for snapshot in asked] == asked
    assert len(queries) == 2 * 3


def test_a_commit_that_came_later_is_found(store: SqlStore, run: Run) -> None:
    store.commit(run.step({"x": 1}))
    graph = reopened(store)
    first = run.head
    assert first is not None
    graph.contents(first)
    store.commit(run.step({"x": 2}))
    store.commit(run.step({"x": 3}, parents=[first]))
    assert run.head is not None
    assert graph.contents(run.head) == run.graph.contents(run.head)
    assert graph.values.get(graph.contents(run.head).space("WORKING").rendered["x"].value) == 3


def test_checkpoints_are_used(store: SqlStore, place: Place, long: Run) -> None:
    assert long.head is not None
    checkpoints = place.execute("SELECT snapshot FROM gov_checkpoint")
    assert len(checkpoints) == 6
    (checkpointed,) = checkpoints[0]
    expected = long.graph.contents(checkpointed.hex())
    with counted(store) as queries:
        assert reopened(store).contents(checkpointed.hex()) == expected
    assert len([each for each in queries if "FROM gov_snapshot" in each]) <= 2
    assert not [each for each in queries if "FROM gov_value" in each]


def test_what_is_not_stored_is_not_found(store: SqlStore, run: Run) -> None:
    store.commit(run.step({"x": 1}))
    for graph in (reopened(store), reopened(store, "gone")):
        with pytest.raises(UnknownSnapshot):
            graph.contents("00" * 16)
        with pytest.raises(UnknownValue):
            graph.values.get("00" * 16)


def test_a_source_may_be_made_before_its_instance(store: SqlStore) -> None:
    run, graph = Run("new"), reopened(store, "new")
    head = run.write({"x": 1})
    with pytest.raises(UnknownSnapshot):
        graph.get(head)
    store.create(new_instance("new"), run.advance())
    assert run.head is not None
    assert graph.contents(run.head) == run.graph.contents(run.head)


def test_instances_see_their_own_snapshots(store: SqlStore, run: Run) -> None:
    store.commit(run.step({"x": 1}))
    store.create(new_instance("other"))
    assert run.head is not None
    with pytest.raises(UnknownSnapshot):
        reopened(store, "other").get(run.head)


def test_a_large_value_is_read_only_when_it_is_asked_for(store: SqlStore, run: Run) -> None:
    large = "".join(f"{number:x}" for number in range(SMALL))
    store.commit(run.step({"small": "s" * 100, "large": large}))
    assert run.head is not None
    source = store.source("abc123")
    written = source.commits(run.head)[0].writes
    small_hash, large_hash = written["WORKING/small"].value, written["WORKING/large"].value
    assert small_hash is not None
    assert large_hash is not None
    source.load(small_hash)
    with counted(store) as queries:
        assert source.load(large_hash) == f'"{large}"'.encode()
    assert len(queries) == 1


def test_values_are_read_in_chunks(store: SqlStore, run: Run) -> None:
    run.write({f"x{number}": f"value {number}" for number in range(3 * CHUNK)})
    advance = run.advance()
    store.commit(advance)
    hashes = [value_hash for value_hash, _ in advance.values]
    assert store.values_of([*hashes, "00" * 16]) == dict(advance.values)
    assert run.head is not None
    source = store.source("abc123")
    source.commits(run.head)
    with counted(store) as queries:
        assert {value_hash: source.load(value_hash) for value_hash in hashes} == dict(advance.values)
    assert len(queries) == 4


@pytest.mark.parametrize(
    ("table", "damage"),
    [
        ("gov_snapshot", lambda body: body.replace(b"WORKING/x", b"WORKING/y")),
        ("gov_value", lambda body: body.replace(b"0.9", b"1.0").replace(b"text", b"test")),
    ],
)
def test_what_was_altered_is_told(
    store: SqlStore, place: Place, run: Run, table: str, damage: Callable[[bytes], bytes]
) -> None:
    store.commit(run.step({"x": "text"}))
    for (body,) in place.execute(f"SELECT body FROM {table}"):
        place.execute(f"UPDATE {table} SET body = %s WHERE body = %s", damage(unpack(body)), body)
    assert run.head is not None
    value = run.graph.contents(run.head).space("WORKING").rendered["x"].value
    with pytest.raises(Damaged, match=f"{re.escape(place.shown)}: .* was altered or damaged"):
        read_both(reopened(store), run.head, value)


def read_both(graph: SnapshotGraph, snapshot: str, value: str) -> None:
    graph.get(snapshot)
    graph.values.get(value)


def test_full_values_behind_a_checkpoint_are_read_together(store: SqlStore, run: Run) -> None:
    """Of entries that a model is shown in short or not at all: variables are read in full all the same."""
    before = run.write({f"x{number}": f"value {number}" for number in range(200)})
    text = run.values.put("[Compressed] value")
    shown = {
        f"WORKING/x{number}": Shown(Fidelity.SUMMARY, text) if number % 2 else Shown(Fidelity.ARCHIVED)
        for number in range(200)
    }
    head = run.graph.commit([before], shown=shown, meta=CommitMeta("D1")).id
    store.commit(run.advance(head=head, checkpoint=(head, run.graph.contents(head).dump())))
    graph = reopened(store)
    contents = graph.contents(head)
    with counted(store) as queries:
        found = {name: graph.values.get(item.value) for name, item in contents.items("WORKING")}
    assert found == {f"x{number}": f"value {number}" for number in range(200)}
    assert len(queries) == 1
