"""Whatever the history: what is kept incrementally, rebuilt or restored is what the slow way finds."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from governance.snapshots.ahead import Ahead
from governance.snapshots.apply import Growing
from governance.snapshots.cache import ContentsCache
from governance.snapshots.contents import Contents, Totals
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.lookup import Standing
from governance.snapshots.model import CommitMeta, name_of, space_of
from governance.snapshots.values import ValueStore
from tests.governance.snapshots.histories import KEYS, SPACES, Record, Step, agree, branch_off, build, entries, steps
from tests.governance.snapshots.stored import Stored


@settings(max_examples=250, deadline=None)
@given(steps())
def test_what_is_kept_incrementally_equals_recomputation(history: list[Step]) -> None:
    graph = SnapshotGraph(ValueStore())
    commits = build(graph, history)
    by_id = {commit.id: commit for commit in commits}
    for commit in commits:
        agree(graph.contents(commit.id), entries(commit, by_id), graph.values)


@settings(max_examples=60, deadline=None)
@given(steps(8))
def test_what_still_grows_answers_as_if_it_were_built(history: list[Step]) -> None:
    for count in range(len(history) + 1):
        graph = SnapshotGraph(ValueStore())
        last = build(graph, history[:count])[-1].id
        growing = told(graph.standing(last))
        assert growing == told(graph.contents(last))


@settings(max_examples=150, deadline=None)
@given(steps(6), steps(1))
def test_what_branches_off_answers_as_if_it_were_built(history: list[Step], last: list[Step]) -> None:
    graph = SnapshotGraph(ValueStore())
    below = build(graph, history)[-1]
    graph.contents(below.id)  # as at a split
    (step,) = last
    records = {key: value for key, value in step.writes.items() if key.startswith("HISTORY/")}
    branch = branch_off(graph, below.id, replace(step, writes=records or {"HISTORY/new": Record({"a": 1})}))
    ahead = graph.standing(branch.id)
    # Twice: before anything was built for it, and after.
    assert told(ahead) == told(ahead) == told(graph.contents(branch.id))
    below_it = branch_off(graph, branch.id, step)
    assert told(graph.standing(below_it.id)) == told(graph.contents(below_it.id))


def test_nothing_is_built_for_a_branch_that_leaves_a_record_of_its_own() -> None:
    graph = SnapshotGraph(ValueStore())
    below = build(graph, [])[-1]
    graph.contents(below.id)
    branch = branch_off(graph, below.id, Step((0,), {"HISTORY/new": Record({"a": 1})}, {}, {}, None, 1.0))
    ahead = graph.standing(branch.id)
    assert (ahead.totals("WORKING"), ahead.overlap.duplicated, ahead.overlap.entries) == (Totals(), 0, 1)
    assert isinstance(graph.standing(branch.id), Ahead)
    assert ahead.totals("HISTORY").entries == 1
    assert isinstance(graph.standing(branch.id), Growing)


def told(standing: Standing) -> tuple[object, ...]:
    """All that a step may ask of the snapshot it begins with."""
    items = [(standing.item(key), standing.named(space_of(key), name_of(key))) for key in KEYS]
    sums = [standing.totals(space) for space in SPACES], standing.tokens(SPACES)
    return items, sums, standing.overlap.duplicated, standing.overlap.entries


@settings(max_examples=100, deadline=None)
@given(steps())
def test_a_dump_loads_to_equal_contents_and_is_the_same_for_equal_contents(history: list[Step]) -> None:
    graph = SnapshotGraph(ValueStore())
    for commit in build(graph, history):
        contents = graph.contents(commit.id)
        loaded = Contents.load(contents.dump())
        assert loaded == contents
        assert loaded.dump() == contents.dump()


@settings(max_examples=100, deadline=None)
@given(steps(), st.data())
def test_a_new_session_rebuilds_every_snapshot(history: list[Step], data: st.DataObject) -> None:
    graph, stored = SnapshotGraph(ValueStore()), Stored()
    commits = build(graph, history)
    assert stored.take(graph) == list({commit.id: commit for commit in commits}.values())
    for commit in data.draw(st.lists(st.sampled_from(commits), max_size=3)):
        stored.checkpoint_of(graph, commit.id)
    again = stored.reopen()
    for commit in data.draw(st.permutations(commits)):
        assert again.get(commit.id) == commit
        assert again.contents(commit.id) == graph.contents(commit.id)
        assert again.contents(commit.id).overlap == graph.contents(commit.id).overlap


@settings(max_examples=100, deadline=None)
@given(steps(), st.integers(1, 3), st.integers(2, 5))
def test_contents_that_left_memory_come_back(history: list[Step], recent: int, stride: int) -> None:
    graph = SnapshotGraph(ValueStore())
    small = SnapshotGraph(ValueStore(), cache=ContentsCache(recent, stride))
    for commit, same in zip(build(graph, history), build(small, history), strict=True):
        assert commit.id == same.id
        assert small.contents(same.id) == graph.contents(commit.id)


@settings(max_examples=100, deadline=None)
@given(steps(), st.integers(0, 20), st.integers(0, 20))
def test_any_snapshot_can_be_restored_on_any_head(history: list[Step], head: int, snapshot: int) -> None:
    graph = SnapshotGraph(ValueStore())
    commits = build(graph, history)
    now, then = commits[head % len(commits)], commits[snapshot % len(commits)]
    back = graph.restore(now.id, then.id, CommitMeta("restore", at="2026-02-01T00:00:00.000000Z"))
    assert back.parents == (now.id,)
    assert graph.contents(back.id) == graph.contents(then.id)
    again = graph.restore(back.id, then.id, CommitMeta("restore", at="2026-02-02T00:00:00.000000Z"))
    assert not again.writes
    assert not again.shown
