"""Going back is going on: a new commit that puts back what stood, at the cost of what changed since."""

from __future__ import annotations

from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.metadata import meta, put_meta
from governance.snapshots.model import CommitMeta, Shown, Write
from governance.snapshots.restore import touched_keys
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity
from tests.governance.snapshots.stored import Stored
from tests.governance.snapshots.test_graph import line, lowered, step

BACK = CommitMeta("restore", "undo", "main", "2026-02-01T00:00:00.000000Z")


def test_entries_come_back_with_their_own_metadata_and_new_keys_leave() -> None:
    graph = SnapshotGraph(ValueStore())
    then = step(graph, [], {"WORKING/a": 1, "WORKING/b": 2, "WORKING/same": 0}, 1)
    now = step(graph, [then.id], {"WORKING/a": 10, "WORKING/b": None, "WORKING/new": 3}, 2)
    back = graph.restore(now.id, then.id, BACK)
    assert back.parents == (now.id,)
    assert back.meta == BACK
    assert {key: write for key, write in back.writes.items() if write.value} == {
        key: then.writes[key] for key in ("WORKING/a", "WORKING/b")
    }
    deletion = back.writes["WORKING/new"]
    assert deletion.value is None
    assert meta(graph.values, deletion.meta).created_at == BACK.at
    assert graph.contents(back.id) == graph.contents(then.id)


def test_the_same_value_by_another_writer_goes_back_to_the_first() -> None:
    graph = SnapshotGraph(ValueStore())
    then = step(graph, [], {"WORKING/a": 1}, 1)
    now = step(graph, [then.id], {"WORKING/a": 1}, 2)
    back = graph.restore(now.id, then.id, BACK)
    assert back.writes == then.writes
    assert graph.contents(back.id) == graph.contents(then.id)


def test_what_was_shown_comes_back() -> None:
    graph = SnapshotGraph(ValueStore())
    low = lowered(graph, "short")
    shown = {"WORKING/a": low, "WORKING/b": low, "WORKING/d": Shown(Fidelity.ARCHIVED)}
    then = step(graph, [], {f"WORKING/{name}": 1 for name in "abcd"}, shown=shown)
    now = step(graph, [then.id], {"WORKING/a": 2}, shown={"WORKING/b": None, "WORKING/c": low, "WORKING/d": low})
    back = graph.restore(now.id, then.id, BACK)
    assert list(back.writes) == ["WORKING/a"]
    assert back.shown == {**shown, "WORKING/c": None}
    assert graph.contents(back.id) == graph.contents(then.id)


def test_a_key_written_and_put_back_since_is_not_written() -> None:
    graph = SnapshotGraph(ValueStore())
    then = step(graph, [], {"WORKING/a": 1, "WORKING/b": 1})
    away = step(graph, [then.id], {"WORKING/a": 2, "WORKING/b": 2})
    now = step(graph, [away.id], {"WORKING/a": 1})
    assert list(graph.restore(now.id, then.id, BACK).writes) == ["WORKING/b"]


def test_restoring_forward_and_from_a_sibling() -> None:
    graph = SnapshotGraph(ValueStore())
    start = step(graph, [], {"WORKING/x": "start"})
    left, right = line(graph, start.id, 4), step(graph, [start.id], {"WORKING/y": 1}, 9)
    for head, snapshot in ((start, left[-1]), (left[-1], right), (right, left[1])):
        back = graph.restore(head.id, snapshot.id, BACK)
        assert graph.contents(back.id) == graph.contents(snapshot.id)


def test_snapshots_without_a_common_ancestor() -> None:
    graph = SnapshotGraph(ValueStore())
    one, other = step(graph, [], {"WORKING/a": 1}, 1), step(graph, [], {"WORKING/b": 2}, 2)
    assert graph.contents(graph.restore(one.id, other.id, BACK).id) == graph.contents(other.id)


def test_a_merged_branch_goes_back_through_what_the_merge_carried() -> None:
    graph = SnapshotGraph(ValueStore())
    start = step(graph, [], {"WORKING/x": 0})
    left, right = step(graph, [start.id], {"WORKING/l": 1}, 1), step(graph, [start.id], {"WORKING/r": 1}, 2)
    entry_meta = put_meta(graph.values, meta(graph.values, right.writes["WORKING/r"].meta))
    carry = {"WORKING/r": Write(right.writes["WORKING/r"].value, entry_meta)}
    join = graph.commit([left.id, right.id], carry=carry, meta=CommitMeta("D3"))
    for snapshot in (start, left, right):
        back = graph.restore(join.id, snapshot.id, BACK)
        assert graph.contents(back.id) == graph.contents(snapshot.id)


def test_only_keys_touched_since_are_looked_at() -> None:
    graph = SnapshotGraph(ValueStore())
    start = step(graph, [], {f"WORKING/v{number}": number for number in range(300)})
    then = step(graph, [start.id], {"WORKING/v5": "then"})
    now = step(graph, [then.id], {"WORKING/v7": "now"})
    assert touched_keys(graph, now.id, then.id) == ["WORKING/v7"]
    assert touched_keys(graph, now.id, now.id) == []


def test_a_new_session_goes_back_reading_only_what_differs() -> None:
    graph, stored = SnapshotGraph(ValueStore()), Stored()
    then = step(graph, [], {f"WORKING/v{number}": f"value {number}" for number in range(300)})
    now = step(graph, [then.id], {"WORKING/v7": "now"})
    stored.take(graph)
    for commit in (then, now):
        stored.checkpoint_of(graph, commit.id)
    again = stored.reopen()
    back = again.restore(now.id, then.id, BACK)
    assert again.contents(back.id) == graph.contents(then.id)
    assert set(stored.values_read) == {graph.values.put("value 7"), graph.values.put("now")}
