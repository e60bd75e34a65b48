"""Log, show and diff over random histories, against a look at every entry."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.context_names import arm_of
from engine.context_view import diff, log, show
from governance.human_loop.diff import apply
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Commit
from governance.snapshots.render import render_value
from governance.snapshots.values import ValueStore
from governance.vocabulary import Layer
from tests.governance.snapshots.histories import Step, build, entries, steps


def history_of(steps: list[Step]) -> tuple[SnapshotGraph, list[Commit], dict[str, Commit]]:
    graph = SnapshotGraph(ValueStore())
    commits = build(graph, steps)
    return graph, commits, {commit.id: commit for commit in commits}


@settings(max_examples=60, deadline=None)
@given(steps(), st.data())
def test_the_log_has_every_ancestor_once_and_children_first(history: list[Step], data: st.DataObject) -> None:
    graph, commits, by_id = history_of(history)
    heads = data.draw(st.lists(st.sampled_from([commit.id for commit in commits]), min_size=1, max_size=3))
    logged = [entry.id for entry in log(graph, heads)]
    expected, pending = set(), list(heads)
    while pending:
        snapshot = pending.pop()
        if snapshot not in expected:
            expected.add(snapshot)
            pending += by_id[snapshot].parents
    assert sorted(logged) == sorted(expected)
    place = {snapshot: number for number, snapshot in enumerate(logged)}
    assert all(place[parent] > place[child] for child in logged for parent in by_id[child].parents)


@settings(max_examples=60, deadline=None)
@given(steps())
def test_a_snapshot_is_shown_entry_by_entry(history: list[Step]) -> None:
    graph, commits, by_id = history_of(history)
    for commit in commits:
        view = show(graph, commit.id)
        assert [layer.layer for layer in view.layers] == [layer.value for layer in Layer]
        shown = {entry.key: entry for layer in view.layers for entry in layer.entries}
        items = entries(commit, by_id)
        assert shown.keys() == items.keys()
        for key, item in items.items():
            assert shown[key].text == render_value(graph.values, key, item)
            assert shown[key].fidelity == item.fidelity.name
        for layer in view.layers:
            assert sum(entry.size.tokens for entry in layer.entries) == layer.totals.tokens
            assert sum(entry.full.tokens for entry in layer.entries) == layer.totals.full_tokens


@settings(max_examples=60, deadline=None)
@given(steps(), st.data())
def test_a_diff_names_exactly_what_differs(history: list[Step], data: st.DataObject) -> None:
    graph, commits, by_id = history_of(history)
    before, after = (data.draw(st.sampled_from(commits)) for _ in range(2))
    old, new = entries(before, by_id), entries(after, by_id)
    changes = {change.key: change for change in diff(graph, before.id, after.id)}
    expected = {}
    for key in old.keys() | new.keys():
        if key not in old:
            expected[key] = "added"
        elif key not in new:
            expected[key] = "removed"
        elif old[key].value != new[key].value:
            expected[key] = "changed"
        elif old[key].fidelity is not new[key].fidelity:
            expected[key] = "shown"
    assert {key: change.change for key, change in changes.items()} == expected
    for change in changes.values():
        if change.change == "changed":
            assert change.before is not None
            assert apply(change.before, change.hunks, range(len(change.hunks))) == change.after


def test_the_arm_of_a_branch() -> None:
    assert arm_of("") is None
    split = arm_of("/fork@3:2.left")
    assert split is not None
    assert (split.split, split.count, split.to) == ("fork", 2, ("left",))
    joined = arm_of("/a@1:2.x/fork.2@12:3.left.1+right")
    assert joined is not None
    assert (joined.split, joined.to) == ("fork.2", ("left.1", "right"))
    event = arm_of("/reminder@4:0.event")
    assert event is not None
    assert event.to == ("reminder",)
    assert arm_of("/join(a@1:2.x,b|c)") is None
