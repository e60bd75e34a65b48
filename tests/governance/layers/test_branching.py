"""D2: what a branch's agents see, what expressions see, and what comes back."""

from __future__ import annotations

import pytest

from governance.layers.manager import ContextLayerManager
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Shown
from governance.vocabulary import Fidelity, Layer, Producer, SplitStrategy
from tests.governance.layers.contexts import LATER, START, a_graph

ENTRIES = {
    Layer.SYSTEM: {"role": 1.0},
    Layer.PROCESS: {"path": 0.1},
    Layer.KNOWLEDGE: {"runbook": 0.9, "rumour": 0.3},
    Layer.HISTORY: {"@1:triage": 0.7},
    Layer.WORKING: {"ticket": 0.2, "log_db": 0.2, "sure": 0.71},
}


def before_split(graph: SnapshotGraph) -> ContextLayerManager:
    manager = ContextLayerManager(graph, branch="main")
    for layer, names in ENTRIES.items():
        for name, confidence in names.items():
            manager.write(layer, name, {"is": name}, producer=Producer.DESIGNER, confidence=confidence)
    manager.commit("start", "", START)
    text = graph.values.put("[Compressed] rumour")
    shown = {"KNOWLEDGE/rumour": Shown(Fidelity.SUMMARY, text), "WORKING/log_db": Shown(Fidelity.KEY_ONLY, text)}
    manager.commit("D1", "", START, shown=shown)
    return manager


def visible(graph: SnapshotGraph, head: str) -> set[str]:
    contents = graph.contents(head)
    return {f"{space}/{name}" for space, part in contents.spaces.items() for name in part.rendered}


def all_keys() -> set[str]:
    return {f"{layer}/{name}" for layer, names in ENTRIES.items() for name in names}


def test_inherit_all_is_a_name_for_the_same_snapshot() -> None:
    graph = a_graph()
    manager = before_split(graph)
    graph.drain()
    branches = manager.split(["fork/1", "fork/2"], SplitStrategy.INHERIT_ALL, (), LATER)
    assert [(branch.branch, branch.head) for branch in branches] == [("fork/1", manager.head), ("fork/2", manager.head)]
    assert graph.drain() == []


@pytest.mark.parametrize(
    ("strategy", "retain", "hidden"),
    [
        (
            SplitStrategy.INHERIT_RETAINED,
            (),
            {"KNOWLEDGE/rumour", "HISTORY/@1:triage", "WORKING/ticket", "WORKING/log_db"},
        ),
        (
            SplitStrategy.INHERIT_RETAINED,
            ("log_*", "ticket"),
            {"KNOWLEDGE/rumour", "HISTORY/@1:triage"},
        ),
        (
            SplitStrategy.ISOLATED,
            ("log_*", "ticket"),
            {key for key in all_keys() if not key.startswith(("SYSTEM", "PROCESS"))},
        ),
    ],
)
def test_a_branch_s_agents_see_what_the_strategy_leaves(
    strategy: SplitStrategy, retain: tuple[str, ...], hidden: set[str]
) -> None:
    graph = a_graph()
    manager = before_split(graph)
    branches = manager.split(["fork/1", "fork/2"], strategy, retain, LATER)
    assert len({branch.head for branch in branches} | {manager.head}) == 3
    for branch in branches:
        commit = graph.get(branch.head)
        assert (commit.parents, commit.meta.kind, commit.meta.branch) == ((manager.head,), "D2", branch.branch)
        assert commit.writes == {}
        assert visible(graph, branch.head) == all_keys() - hidden
        assert branch.read(Layer.WORKING) == manager.read(Layer.WORKING)
        assert graph.contents(branch.head).tree == graph.contents(manager.head).tree
    assert visible(graph, manager.head) == all_keys()


def test_only_the_scope_of_the_token_is_hidden() -> None:
    graph = a_graph()
    manager = before_split(graph)
    called = ContextLayerManager(graph, manager.head, branch="main", scope="call@7")
    called.write(Layer.WORKING, "inner", 1, producer=Producer.AGENT)
    called.commit("activity", "t", LATER)
    [branch] = called.split(["fork/1"], SplitStrategy.ISOLATED, (), LATER)
    assert branch.scope == "call@7"
    assert {"WORKING/ticket", "WORKING/sure"} <= visible(graph, branch.head)
    assert "WORKING:call@7/inner" not in visible(graph, branch.head)


def test_a_split_inside_a_split_hides_only_what_is_shown() -> None:
    graph = a_graph()
    [outer] = before_split(graph).split(["fork/1"], SplitStrategy.ISOLATED, (), LATER)
    [nothing_left] = outer.split(["fork/1.1"], SplitStrategy.ISOLATED, (), LATER)
    assert nothing_left.head == outer.head
    outer.write(Layer.WORKING, "own", 1, producer=Producer.AGENT)
    outer.commit("activity", "t", LATER)
    [inner] = outer.split(["fork/1.2"], SplitStrategy.ISOLATED, (), LATER)
    assert set(graph.get(inner.head).shown) == {"WORKING/own"}


def test_a_split_waits_for_the_commit_of_what_is_staged() -> None:
    manager = before_split(a_graph())
    manager.write(Layer.WORKING, "x", 1, producer=Producer.AGENT)
    with pytest.raises(RuntimeError, match="commit them first"):
        manager.split(["fork/1"], SplitStrategy.INHERIT_ALL, (), LATER)
