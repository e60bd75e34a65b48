"""Blame and the history of a key over random histories, against a walk of every path for every key."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.context_blame import blame, history
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Commit, layer_of
from governance.snapshots.values import ValueStore
from governance.vocabulary import Layer
from tests.governance.merging.random_graphs import RandomGraph, a_number_or_nothing, an_object
from tests.governance.snapshots.histories import KEYS, Step, build, steps


def last_writer(snapshot: str, key: str, commits: Mapping[str, Commit]) -> Commit | None:
    """Who wrote a key last: one path is walked for one key, and nothing is remembered."""
    commit = commits[snapshot]
    if key in commit.writes:
        return commit
    if key in commit.carry:
        for parent in commit.parents[1:]:
            writer = last_writer(parent, key, commits)
            if writer is not None and what(writer, key) == what(commit, key):
                return writer
        return commit
    return last_writer(commit.parents[0], key, commits) if commit.parents else None


def what(commit: Commit, key: str) -> tuple[str | None, str]:
    """The value and the metadata of a write, by hash."""
    write = commit.writes.get(key) or commit.carry[key]
    return write.value, write.meta


def ancestors(snapshot: str, commits: Mapping[str, Commit]) -> set[str]:
    return {snapshot}.union(*(ancestors(parent, commits) for parent in commits[snapshot].parents))


def agree(graph: SnapshotGraph, snapshot: str, keys: set[str]) -> None:
    """Assert that each key is blamed on its last writer, and that its history has every write."""
    commits = {commit.id: commit for commit in graph.log(snapshot)}
    told = blame(graph, snapshot)
    standing = {key for key in keys if layer_of(key) is Layer.WORKING and graph.contents(snapshot).item(key)}
    assert told.keys() == standing
    for key in sorted(keys):
        writer = last_writer(snapshot, key, commits)
        listed = history(graph, snapshot, key)
        if key in told:
            assert writer is not None
            assert told[key].snapshot == writer.id
            assert listed[0] == told[key]
            item = graph.contents(snapshot).item(key)
            assert item is not None
            assert told[key].value == graph.values.get(item.value)
        composed = {id for id, each in commits.items() if key in each.carry and last_writer(id, key, commits) == each}
        wrote = {id for id, each in commits.items() if key in each.writes} | composed
        assert {each.snapshot for each in listed} == wrote
        assert len(listed) == len(wrote)


@settings(max_examples=50, deadline=None)
@given(steps())
def test_every_key_is_blamed_on_its_last_writer(history: list[Step]) -> None:
    graph = SnapshotGraph(ValueStore())
    agree(graph, build(graph, history)[-1].id, set(KEYS))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_blame_follows_merges(seed: int) -> None:
    grown = RandomGraph(seed, {"a": a_number_or_nothing, "b": a_number_or_nothing, "c": an_object}, steps=20)
    for head in grown.heads.values():
        agree(grown.branches.graph, head, {f"WORKING/{name}" for name in "abc"})
