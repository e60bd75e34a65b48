"""The graph: what a commit does to contents, how ids come about, what is loaded and when."""

from __future__ import annotations

import json
from typing import Any

import pytest

from governance.errors import LayerRefused, UnknownSnapshot, UnknownValue
from governance.snapshots.cache import ContentsCache
from governance.snapshots.contents import Contents, Totals
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.metadata import put_meta
from governance.snapshots.model import Commit, CommitMeta, EntryMeta, Item, Shown, Write
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity, Layer
from tests.governance.snapshots.stored import Stored


class CountingCounter:
    """Counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def count(self, text: str) -> int:
        self.asked += 1
        return len(text)


@pytest.fixture
def graph() -> SnapshotGraph:
    return SnapshotGraph(ValueStore())


def step(graph: SnapshotGraph, parents: list[str], writes: dict[str, Any], number: int = 0, **more: Any) -> Commit:
    """A commit that writes these values (None deletes)."""
    meta = put_meta(graph.values, EntryMeta(activity=f"step {number}"))
    return graph.commit(
        parents,
        writes={k: Write(None if v is None else graph.values.put(v), meta) for k, v in writes.items()},
        meta=CommitMeta("activity", f"step {number}"),
        **more,
    )


def lowered(graph: SnapshotGraph, text: str) -> Shown:
    return Shown(Fidelity.SUMMARY, graph.values.put(text))


def line(graph: SnapshotGraph, head: str, length: int) -> list[Commit]:
    commits = []
    for number in range(length):
        commits.append(step(graph, [head], {"WORKING/x": number, f"WORKING/v{number}": f"value {number}"}, number))
        head = commits[-1].id
    return commits


def test_a_write_replaces_and_a_write_without_value_deletes(graph: SnapshotGraph) -> None:
    first = step(graph, [], {"WORKING/a": 1, "WORKING/b": 2, "WORKING:call@1/a": 3})
    second = step(graph, [first.id], {"WORKING/a": 10, "WORKING:call@1/a": None})
    contents = graph.contents(second.id)
    a = contents.item("WORKING/a")
    assert a is not None
    assert graph.values.get(a.value) == 10
    assert contents.item("WORKING:call@1/a") is None
    assert list(contents.spaces) == ["WORKING"]
    assert contents.names("WORKING") == ["a", "b"]
    assert contents.space("WORKING:call@1").totals == Totals()
    assert graph.contents(first.id).item("WORKING:call@1/a") is not None


def test_a_written_or_carried_key_is_full_again(graph: SnapshotGraph) -> None:
    shown = {"WORKING/a": lowered(graph, "short"), "WORKING/b": lowered(graph, "short")}
    start = step(graph, [], {"WORKING/a": 1, "WORKING/b": 2}, shown=shown)
    a = graph.contents(start.id).item("WORKING/a")
    assert a is not None
    assert a.fidelity is Fidelity.SUMMARY
    written = step(graph, [start.id], {"WORKING/a": 1})
    carried = step(graph, [start.id], {}, carry=start.writes)
    for commit, keys in ((written, ["WORKING/a"]), (carried, ["WORKING/a", "WORKING/b"])):
        items = {key: graph.contents(commit.id).item(key) for key in ("WORKING/a", "WORKING/b")}
        assert [key for key, item in items.items() if item and item.fidelity is Fidelity.FULL] == keys


def test_a_write_wins_over_a_carry_and_shown_has_the_last_word(graph: SnapshotGraph) -> None:
    start = step(graph, [], {"WORKING/a": 1, "WORKING/b": 1})
    other = step(graph, [start.id], {"WORKING/a": 2})
    merged = step(
        graph, [start.id, other.id], {"WORKING/a": 3}, carry=other.writes, shown={"WORKING/a": lowered(graph, "s")}
    )
    item = graph.contents(merged.id).item("WORKING/a")
    assert item is not None
    assert graph.values.get(item.value) == 3
    assert item.fidelity is Fidelity.SUMMARY


def test_shown_alone_changes_what_is_shown_and_nothing_else(graph: SnapshotGraph) -> None:
    start = step(graph, [], {"WORKING/claim": "x" * 100})
    low = step(
        graph,
        [start.id],
        {},
        shown={"WORKING/claim": lowered(graph, "short"), "WORKING/none": Shown(Fidelity.ARCHIVED)},
    )
    archived = step(graph, [low.id], {}, shown={"WORKING/claim": Shown(Fidelity.ARCHIVED)})
    full = step(graph, [archived.id], {}, shown={"WORKING/claim": None})
    chars = [graph.contents(commit.id).space("WORKING").totals.chars for commit in (start, low, archived, full)]
    assert chars == [109, 12, 0, 109]
    assert {graph.contents(commit.id).tree for commit in (start, low, archived, full)} == {
        graph.contents(start.id).tree
    }
    assert graph.contents(full.id) == graph.contents(start.id)
    assert graph.contents(archived.id).space("WORKING").totals == Totals(1, 1, 0, 0, 109, _tokens(graph, start))
    assert list(graph.contents(archived.id).space("WORKING").archived) == ["claim"]
    assert graph.contents(low.id).names("WORKING") == ["claim"]


def test_the_totals_of_a_layer_take_in_its_scopes(graph: SnapshotGraph) -> None:
    start = step(graph, [], {"WORKING/a": 1, "WORKING:call@1/b": 22, "SYSTEM/rule": "no"})
    totals = graph.contents(start.id).layer_totals(Layer.WORKING)
    assert (totals.entries, totals.chars) == (2, len("a: 1") + len("b: 22"))
    assert graph.contents(start.id).layer_totals(Layer.KNOWLEDGE) == Totals()


def test_the_same_step_on_the_same_parents_is_the_same_snapshot(graph: SnapshotGraph) -> None:
    start = step(graph, [], {})
    once = step(graph, [start.id], {"WORKING/a": 1, "WORKING/b": 2})
    again = step(graph, [start.id], {"WORKING/b": 2, "WORKING/a": 1})
    assert again is once
    assert graph.drain() == [start, once]


def test_ids_do_not_hang_on_what_else_was_committed(graph: SnapshotGraph) -> None:
    other = SnapshotGraph(ValueStore())
    start = step(graph, [], {"WORKING/a": 1})
    line(graph, start.id, 3)
    last = step(graph, [start.id], {"WORKING/a": 2})
    assert step(other, [step(other, [], {"WORKING/a": 1}).id], {"WORKING/a": 2}).id == last.id


def test_a_generation_is_one_more_than_the_highest_parent(graph: SnapshotGraph) -> None:
    start = step(graph, [], {})
    long, short = line(graph, start.id, 3), step(graph, [start.id], {"WORKING/y": 1}, 9)
    assert (start.generation, short.generation, step(graph, [short.id, long[-1].id], {}).generation) == (1, 2, 5)


def test_a_drain_gives_commits_once_with_parents_first(graph: SnapshotGraph) -> None:
    start = step(graph, [], {})
    commits = line(graph, start.id, 3)
    assert graph.drain() == [start, *commits]
    last = step(graph, [commits[-1].id], {"WORKING/x": None})
    assert graph.drain() == [last]
    assert graph.drain() == []


def test_the_log_goes_from_the_newest_generation_back_and_names_no_commit_twice(graph: SnapshotGraph) -> None:
    start = step(graph, [], {})
    left, right = line(graph, start.id, 3), step(graph, [start.id], {"WORKING/y": 1}, 9)
    join = step(graph, [left[-1].id, right.id], {})
    twins = sorted([left[0].id, right.id])
    assert [commit.id for commit in graph.log(join.id)] == [join.id, left[2].id, left[1].id, *twins, start.id]


def test_what_is_unknown_is_named_and_nothing_is_committed(graph: SnapshotGraph) -> None:
    start = step(graph, [], {})
    graph.drain()
    for ask in (graph.get, graph.contents, lambda snapshot: next(graph.log(snapshot))):
        with pytest.raises(UnknownSnapshot, match="no snapshot ab12"):
            ask("ab12")
    with pytest.raises(UnknownSnapshot):
        step(graph, [start.id, "ab12"], {})
    with pytest.raises(UnknownValue):
        graph.commit([start.id], writes={"WORKING/x": Write("ab12", "ab12")}, meta=CommitMeta("activity"))
    assert graph.drain() == []


def test_a_commit_that_fails_half_way_leaves_what_it_was_to_grow_from_as_it_was(graph: SnapshotGraph) -> None:
    start = step(graph, [], {"WORKING/x": 1})
    meta = start.writes["WORKING/x"].meta
    writes = {"WORKING/x": Write(graph.values.put(2), meta), "WORKING/y": Write("ab12", meta)}
    with pytest.raises(UnknownValue):
        graph.commit([start.id], writes=writes, meta=CommitMeta("activity"))
    assert graph.standing(start.id).item("WORKING/x") == Item(graph.values.put(1), meta)
    assert graph.standing(start.id).totals("WORKING").entries == 1


def test_what_is_ephemeral_never_enters_a_snapshot(graph: SnapshotGraph) -> None:
    with pytest.raises(LayerRefused, match="EPHEMERAL/arguments"):
        step(graph, [], {"EPHEMERAL/arguments": {"password": "x"}})
    assert graph.drain() == []


def test_a_commit_measures_its_own_keys_and_no_others() -> None:
    counter = CountingCounter()
    graph = SnapshotGraph(ValueStore(tokens=counter))
    start = step(graph, [], {f"WORKING/v{number}": f"value {number}" for number in range(500)})
    counter.asked = 0
    step(graph, [start.id], {"WORKING/v7": "new", "WORKING/fresh": 1})
    assert counter.asked == 3
    step(graph, [start.id], {}, shown={"WORKING/v7": lowered(graph, "short")})
    assert counter.asked == 4


def test_contents_are_at_hand_after_a_commit_and_shared_with_the_parent(graph: SnapshotGraph) -> None:
    start = step(graph, [], {"WORKING/a": 1, "KNOWLEDGE/doc": "x"})
    before = graph.contents(start.id)
    contents = graph.contents(step(graph, [start.id], {"WORKING/a": 2}).id)
    assert contents.space("KNOWLEDGE") is before.space("KNOWLEDGE")


def test_a_checkpoint_is_json_and_needs_no_value_to_load(graph: SnapshotGraph) -> None:
    outputs = {"a": graph.values.put(1)}
    start = step(
        graph,
        [],
        {"WORKING/a": 1, "HISTORY/@1:check": {"activity": "check", "outputs": outputs}, "KNOWLEDGE/doc": "x" * 50},
        shown={"KNOWLEDGE/doc": lowered(graph, "short")},
    )
    dump = json.loads(json.dumps(graph.contents(start.id).dump()))
    assert Contents.load(dump) == graph.contents(start.id)
    assert dump["spaces"]["WORKING"]["items"] == {"a": [outputs["a"], 0]}
    assert dump["records"] == {"@1:check": outputs}
    assert len(dump["metas"]) == 1


def test_a_new_session_reads_only_values_that_still_stand() -> None:
    graph, stored = SnapshotGraph(ValueStore()), Stored()
    commits = line(graph, step(graph, [], {}).id, 40)
    stored.take(graph)
    again = stored.reopen()
    assert again.contents(commits[-1].id) == graph.contents(commits[-1].id)
    numbers = {graph.values.put(number) for number in range(39)}
    assert numbers.isdisjoint(stored.values_read)
    assert len(stored.values_read) == 41


def test_a_new_session_starts_from_the_nearest_checkpoint() -> None:
    graph, stored = SnapshotGraph(ValueStore()), Stored()
    commits = line(graph, step(graph, [], {}).id, 40)
    stored.take(graph)
    stored.checkpoint_of(graph, commits[36].id)
    for early in commits[:36]:
        del stored.rows[early.id]
    again = stored.reopen()
    assert again.contents(commits[-1].id) == graph.contents(commits[-1].id)
    new, replaced, now = [f"value {number}" for number in (37, 38, 39)], 36, 39
    expected = {graph.values.put(value) for value in (*new, replaced, now)}
    assert set(stored.values_read) == expected


def test_heads_that_grew_from_one_anchor_share_its_rebuilding() -> None:
    graph, stored = SnapshotGraph(ValueStore()), Stored()
    commits = line(graph, step(graph, [], {}).id, 70)
    heads = [step(graph, [commits[-1].id], {"WORKING/branch": number}, number) for number in range(3)]
    stored.take(graph)
    again = SnapshotGraph(ValueStore(stored._read), stored, ContentsCache(recent=1))
    folded = [again.contents(head.id) for head in heads]
    assert folded == [graph.contents(head.id) for head in heads]
    anchored = commits[62]
    assert anchored.generation == 64
    assert again._cache.get(anchored.id) is not None


def test_the_cache_forgets_the_oldest_but_no_anchor(graph: SnapshotGraph) -> None:
    cache = ContentsCache(recent=2, stride=3)
    commits = line(graph, step(graph, [], {}).id, 5)
    generations = {commit.generation: commit for commit in commits}
    for generation in (2, 3, 4):
        cache.put(generations[generation], graph.contents(generations[generation].id))
    cache.put(generations[5], graph.contents(generations[5].id))
    assert [n for n, commit in generations.items() if cache.get(commit.id) is not None] == [3, 4, 5]


def test_a_changed_row_is_not_taken_for_the_snapshot() -> None:
    graph, stored = SnapshotGraph(ValueStore()), Stored()
    start = step(graph, [], {"WORKING/a": 1})
    stored.take(graph)
    stored.rows[start.id] = stored.rows[start.id].replace(b"WORKING/a", b"WORKING/b")
    with pytest.raises(UnknownSnapshot):
        stored.reopen().get(start.id)


def _tokens(graph: SnapshotGraph, commit: Commit) -> int:
    return graph.contents(commit.id).space("WORKING").totals.full_tokens


def test_items_come_sorted_and_archived_ones_too(graph: SnapshotGraph) -> None:
    start = step(graph, [], {"WORKING/b": 1, "WORKING/a": 2}, shown={"WORKING/b": Shown(Fidelity.ARCHIVED)})
    items = list(graph.contents(start.id).items("WORKING"))
    assert [name for name, _ in items] == ["a", "b"]
    assert [item for _, item in items] == [graph.contents(start.id).item(f"WORKING/{name}") for name in "ab"]
    assert isinstance(items[0][1], Item)
