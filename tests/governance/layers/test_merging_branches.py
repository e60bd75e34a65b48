"""D2 and D3 through the manager: what branches wrote comes together, and what a split hid is shown again."""

from __future__ import annotations

from itertools import permutations

import pytest

from governance.layers.manager import ContextLayerManager
from governance.merging.answers import Answer
from governance.merging.errors import MergeOpen
from governance.merging.rules import MergeRules
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Shown
from governance.vocabulary import Fidelity, Layer, MergeStrategy, Producer, SplitStrategy
from tests.governance.layers.contexts import LATER, a_graph, item_at, started

HIDING = [SplitStrategy.INHERIT_RETAINED, SplitStrategy.ISOLATED]


def before_split(graph: SnapshotGraph) -> ContextLayerManager:
    manager = started(graph, {Layer.SYSTEM: {"role": "r"}})
    for layer, name in [(Layer.KNOWLEDGE, "runbook"), (Layer.WORKING, "ticket"), (Layer.WORKING, "log")]:
        manager.write(layer, name, f"{name} text", producer=Producer.AGENT, confidence=0.5)
    manager.commit("activity", "intake", LATER)
    manager.commit("D1", "", LATER, shown={"WORKING/log": Shown(Fidelity.SUMMARY, graph.values.put("[Compressed] l"))})
    return manager


def written(manager: ContextLayerManager, name: str, value: object) -> ContextLayerManager:
    manager.write(Layer.WORKING, name, value, producer=Producer.AGENT)
    manager.commit("activity", f"write_{name}", LATER)
    return manager


def fidelities(graph: SnapshotGraph, head: str) -> dict[str, Fidelity]:
    keys = ["KNOWLEDGE/runbook", "WORKING/ticket", "WORKING/log"]
    return {key: item_at(graph, head, key).fidelity for key in keys}


SHOWN_BEFORE = {
    "KNOWLEDGE/runbook": Fidelity.FULL,
    "WORKING/ticket": Fidelity.FULL,
    "WORKING/log": Fidelity.SUMMARY,
}


def test_what_branches_wrote_comes_together() -> None:
    graph = a_graph()
    one, two = before_split(graph).split(["/f.1", "/f.2"], SplitStrategy.INHERIT_ALL, (), LATER)
    one.write(Layer.EPHEMERAL, "scratch", 1, producer=Producer.AGENT)
    result = written(one, "a", 1).merge([written(two, "b", 2)], MergeRules(), "join", LATER, into="")
    assert (one.head, one.branch) == (result.snapshot, "")
    assert one.read(Layer.WORKING, ["a", "b"]) == {"a": 1, "b": 2}
    assert one.read(Layer.EPHEMERAL) == {}
    assert graph.get(one.head).meta.kind == "D3"


@pytest.mark.parametrize("strategy", HIDING)
@pytest.mark.parametrize("writers", [(), (0,), (1,), (0, 1)])
def test_what_every_branch_hid_is_shown_again_as_it_was(strategy: SplitStrategy, writers: tuple[int, ...]) -> None:
    graph = a_graph()
    branches = before_split(graph).split(["/f.1", "/f.2"], strategy, (), LATER)
    assert set(fidelities(graph, branches[0].head).values()) == {Fidelity.ARCHIVED}
    for number in writers:
        written(branches[number], f"v{number}", number)
    branches[0].merge(branches[1:], MergeRules(), "join", LATER, into="")
    assert fidelities(graph, branches[0].head) == SHOWN_BEFORE


@pytest.mark.parametrize("inner_strategy", HIDING)
def test_nested_splits_into_one_join(inner_strategy: SplitStrategy) -> None:
    for order in permutations(range(3)):
        graph = a_graph()
        outer, other = before_split(graph).split(["/f.1", "/f.2"], SplitStrategy.ISOLATED, (), LATER)
        written(outer, "own", "o" * 9)
        inner = outer.split(["/f.1/g.1", "/f.1/g.2"], inner_strategy, (), LATER)
        branches = [inner[0], written(inner[1], "deep", 1), written(other, "wide", 2)]
        first, *rest = (branches[number] for number in order)
        first.merge(rest, MergeRules(), "join", LATER, into="")
        assert fidelities(graph, first.head) == SHOWN_BEFORE
        assert item_at(graph, first.head, "WORKING/own").fidelity is Fidelity.FULL


def test_an_inner_join_leaves_hidden_what_the_outer_split_hid() -> None:
    graph = a_graph()
    [outer, _] = before_split(graph).split(["/f.1", "/f.2"], SplitStrategy.ISOLATED, (), LATER)
    written(outer, "own", 1)
    one, two = outer.split(["/f.1/g.1", "/f.1/g.2"], SplitStrategy.ISOLATED, (), LATER)
    one.merge([two], MergeRules(), "inner", LATER, into="/f.1")
    assert set(fidelities(graph, one.head).values()) == {Fidelity.ARCHIVED}
    assert item_at(graph, one.head, "WORKING/own").fidelity is Fidelity.FULL


def test_a_merge_that_needs_a_person_changes_nothing() -> None:
    graph = a_graph()
    one, two = before_split(graph).split(["/f.1", "/f.2"], SplitStrategy.INHERIT_ALL, (), LATER)
    before = written(one, "plan", "restart").head
    written(two, "plan", "fail over")
    rules = MergeRules(keys={"plan": MergeStrategy.HUMAN})
    with pytest.raises(MergeOpen, match="a person has to decide first: WORKING/plan"):
        one.merge([two], rules, "join", LATER, into="")
    assert (one.head, one.branch) == (before, "/f.1")
    one.merge([two], rules, "join", LATER, into="", answers={"plan": Answer.take("/f.2")})
    assert one.read(Layer.WORKING, ["plan"]) == {"plan": "fail over"}


def test_every_branch_commits_before_it_merges() -> None:
    one, two = before_split(a_graph()).split(["/f.1", "/f.2"], SplitStrategy.INHERIT_ALL, (), LATER)
    two.write(Layer.WORKING, "x", 1, producer=Producer.AGENT)
    with pytest.raises(RuntimeError, match="commit them first"):
        one.merge([two], MergeRules(), "join", LATER, into="")
