"""The snapshots of a random run form a graph, and each of them can be restored."""

from __future__ import annotations

import orjson
import pytest

from governance.snapshots.commits import load_commit
from governance.snapshots.contents import Contents
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import CommitMeta, Item
from governance.snapshots.values import ValueStore
from tests.engine.random.generator import process_of
from tests.engine.random.running import Course
from tests.engine.running import Run, _Source

SEEDS = range(0, 200, 8)


def stored_graph(run: Run) -> SnapshotGraph:
    """The run's snapshots, read from what was saved."""
    return SnapshotGraph(ValueStore(run.memory.load), _Source(run.memory))


def entries(contents: Contents) -> dict[str, Item]:
    return {f"{space}/{name}": item for space in contents.spaces for name, item in contents.items(space)}


@pytest.mark.parametrize("seed", SEEDS)
def test_every_snapshot_is_an_ancestor_of_the_last(seed: int) -> None:
    run = Course.of(process_of(seed)).run(order=seed)
    commits = {id: load_commit(orjson.loads(raw)) for id, raw in run.memory.commits.items()}
    assert {commit.id for commit in commits.values()} == set(commits)
    assert {commit.id for commit in stored_graph(run).log(run.head)} == set(commits)
    assert [commit.meta.kind for commit in commits.values() if not commit.parents] == ["start"]
    for commit in commits.values():
        assert commit.generation == 1 + max((commits[parent].generation for parent in commit.parents), default=0)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_snapshot_can_be_restored(seed: int) -> None:
    run = Course.of(process_of(seed)).run(order=seed)
    graph, at = stored_graph(run), run.instance.at
    for snapshot in run.memory.commits:
        restored = graph.restore(run.head, snapshot, CommitMeta("restore", "", "", at))
        there, here = graph.contents(snapshot), graph.contents(restored.id)
        assert here.tree == there.tree
        assert entries(here) == entries(there)
        assert graph.contents(graph.restore(restored.id, run.head, CommitMeta("restore", "", "", at)).id).tree == (
            graph.contents(run.head).tree
        )
