"""`ContextLayerManager`: staged writes become one commit; the rules of SYSTEM and EPHEMERAL; reading, clearing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.errors import LayerRefused, NotJson
from governance.layers.manager import ContextLayerManager
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import EntryMeta, Shown
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity, Layer, Producer, SplitStrategy
from tests.governance.layers.contexts import LATER, START, a_graph, item_at, meta_at, started

STORED = [Layer.PROCESS, Layer.KNOWLEDGE, Layer.HISTORY, Layer.WORKING]


def test_all_that_is_staged_becomes_one_commit() -> None:
    graph = a_graph()
    manager = started(graph, {Layer.WORKING: {"old": 1, "gone": 2}}, branch="b")
    before = manager.head
    manager.write(Layer.WORKING, "new", [1], producer=Producer.AGENT, confidence=0.6, citations=["k1"])
    manager.write(Layer.PROCESS, "path", ["a"], producer=Producer.ENGINE)
    manager.delete(Layer.WORKING, "gone")
    assert manager.head == before
    head = manager.commit("activity", "triage", LATER)
    commit = graph.get(head)
    assert (commit.parents, commit.meta.kind, commit.meta.activity, commit.meta.branch, commit.meta.at) == (
        (before,),
        "activity",
        "triage",
        "b",
        LATER,
    )
    assert set(commit.writes) == {"WORKING/new", "PROCESS/path", "WORKING/gone"}
    assert commit.writes["WORKING/gone"].value is None
    assert manager.read(Layer.WORKING) == {"new": [1], "old": 1}
    assert meta_at(graph, head, "WORKING/new") == EntryMeta(0.6, "triage", "b", Producer.AGENT, LATER, 2, ("k1",))
    assert meta_at(graph, head, "PROCESS/path").confidence == 1.0


def test_nothing_staged_is_no_commit() -> None:
    graph = a_graph()
    manager = started(graph, {Layer.WORKING: {"a": 1}})
    head = manager.head
    assert manager.commit("activity", "triage", LATER) == head
    manager.write(Layer.WORKING, "a", 2, producer=Producer.AGENT)
    manager.commit("activity", "triage", LATER)
    assert manager.commit("activity", "triage", LATER) == manager.head != head


def test_the_first_commit_makes_a_snapshot_even_of_nothing() -> None:
    graph = a_graph()
    manager = ContextLayerManager(graph)
    head = manager.commit("start", "", START)
    assert graph.get(head).parents == ()
    with pytest.raises(LayerRefused):
        manager.write(Layer.SYSTEM, "role", "r", producer=Producer.DESIGNER)


@pytest.mark.parametrize("layer", STORED)
def test_an_equal_value_is_no_write(layer: Layer) -> None:
    graph = a_graph()
    manager = started(graph, {layer: {"a": {"x": 1, "y": [2]}}})
    head = manager.head
    manager.write(layer, "a", {"y": [2], "x": 1}, producer=Producer.AGENT, confidence=0.1)
    assert manager.commit("activity", "t", LATER) == head


def test_a_value_put_back_before_the_commit_is_no_write() -> None:
    graph = a_graph()
    manager = started(graph, {Layer.WORKING: {"a": 1}})
    head = manager.head
    manager.write(Layer.WORKING, "a", 2, producer=Producer.AGENT)
    manager.write(Layer.WORKING, "a", 1, producer=Producer.AGENT)
    manager.write(Layer.WORKING, "b", 1, producer=Producer.AGENT)
    manager.delete(Layer.WORKING, "b")
    assert manager.commit("activity", "t", LATER) == head


@pytest.mark.parametrize("other", [1.0, True, "1", [1], None])
def test_values_of_another_type_are_writes(other: Any) -> None:
    graph = a_graph()
    manager = started(graph, {Layer.WORKING: {"a": 1}})
    manager.write(Layer.WORKING, "a", other, producer=Producer.AGENT)
    assert "WORKING/a" in graph.get(manager.commit("activity", "t", LATER)).writes


def test_what_is_staged_is_private() -> None:
    manager = ContextLayerManager(a_graph())
    value, scratch = {"rows": [1]}, {"q": [1]}
    manager.write(Layer.WORKING, "a", value, producer=Producer.AGENT)
    manager.write(Layer.EPHEMERAL, "args", scratch, producer=Producer.AGENT)
    value["rows"].append(2)
    scratch["q"].append(2)
    assert manager.read(Layer.WORKING) == {"a": {"rows": [1]}}
    assert manager.read(Layer.EPHEMERAL) == {"args": {"q": [1]}}


def test_reading_sees_what_is_staged() -> None:
    manager = started(a_graph(), {Layer.WORKING: {"a": 1, "b": 2, "c": None}})
    manager.write(Layer.WORKING, "a", 10, producer=Producer.AGENT)
    manager.write(Layer.WORKING, "d", 4, producer=Producer.AGENT)
    manager.delete(Layer.WORKING, "b")
    assert manager.read(Layer.WORKING) == {"a": 10, "c": None, "d": 4}
    assert manager.read(Layer.WORKING, ["a", "b", "zz"]) == {"a": 10}
    assert manager.read(Layer.HISTORY) == {}


def test_objects_record_the_paths_they_changed() -> None:
    graph = a_graph()
    manager = started(graph, {Layer.WORKING: {"plan": {"owner": "a", "steps": 3}, "n": 1}})
    manager.write(Layer.WORKING, "plan", {"owner": "b", "steps": 3}, producer=Producer.AGENT)
    manager.write(Layer.WORKING, "n", 2, producer=Producer.AGENT)
    manager.write(Layer.WORKING, "fresh", {"x": 1}, producer=Producer.AGENT)
    writes = graph.get(manager.commit("activity", "t", LATER)).writes
    paths = writes["WORKING/plan"].paths
    assert paths is not None
    assert len(paths) == 1
    assert "owner" in paths[0]
    assert writes["WORKING/n"].paths is None
    assert writes["WORKING/fresh"].paths is None


def test_variables_of_a_called_process_stand_in_their_own_scope() -> None:
    graph = a_graph()
    caller = started(graph, {Layer.WORKING: {"a": 1}, Layer.PROCESS: {"p": 1}})
    called = ContextLayerManager(graph, caller.head, scope="call@7")
    called.write(Layer.WORKING, "a", 2, producer=Producer.AGENT)
    called.write(Layer.PROCESS, "p", 2, producer=Producer.AGENT)
    head = called.commit("activity", "t", LATER)
    assert set(graph.get(head).writes) == {"WORKING:call@7/a", "PROCESS/p"}
    assert called.read(Layer.WORKING) == {"a": 2}
    assert ContextLayerManager(graph, head).read(Layer.WORKING) == {"a": 1}
    assert called.char_count(Layer.WORKING) == len("a: 2")


def test_what_is_no_json_is_refused_with_its_place() -> None:
    manager = ContextLayerManager(a_graph())
    with pytest.raises(NotJson, match=r"WORKING/plan\.when: nan") as caught:
        manager.write(Layer.WORKING, "plan", {"when": float("nan")}, producer=Producer.AGENT)
    assert caught.value.key == "WORKING/plan.when"


def test_system_is_free_before_start_and_closed_after() -> None:
    graph = a_graph()
    manager = started(graph, {Layer.SYSTEM: {"role": "You are on call."}})
    attempts: list[Callable[[], None]] = [
        lambda: manager.write(Layer.SYSTEM, "role", "You may do all.", producer=Producer.AGENT),
        lambda: manager.write(Layer.SYSTEM, "more", "x", producer=Producer.HUMAN),
        lambda: manager.delete(Layer.SYSTEM, "role"),
        lambda: manager.clear(Layer.SYSTEM),
    ]
    for attempt in attempts:
        with pytest.raises(LayerRefused, match="cannot change after start without EXPLICIT_APPROVAL"):
            attempt()
    assert manager.commit("activity", "t", LATER) == manager.head
    manager.write(Layer.SYSTEM, "role", "You are the deputy.", producer=Producer.HUMAN, approved=True)
    manager.commit("system", "", LATER)
    assert manager.read(Layer.SYSTEM) == {"role": "You are the deputy."}


def test_writing_what_system_says_already_is_no_change() -> None:
    manager = started(a_graph(), {Layer.SYSTEM: {"role": "r"}})
    manager.write(Layer.SYSTEM, "role", "r", producer=Producer.DESIGNER)
    assert manager.commit("activity", "t", LATER) == manager.head


class ByCharacter:
    """A counter that makes the limit easy to hit: a token per code point."""

    def count(self, text: str) -> int:
        return len(text)


@pytest.mark.parametrize("head", [False, True])
def test_system_holds_2000_tokens_in_all(head: bool) -> None:
    graph = SnapshotGraph(ValueStore(tokens=ByCharacter()))
    manager = ContextLayerManager(graph)
    manager.write(Layer.SYSTEM, "a", "x" * 990, producer=Producer.DESIGNER)
    if head:
        manager.commit("start", "", START)
    size = graph.contents(manager.head).space("SYSTEM").totals.full_tokens if head else None
    assert size in (None, 995)
    manager.write(Layer.SYSTEM, "b", "y" * 1_000, producer=Producer.DESIGNER, approved=True)
    with pytest.raises(LayerRefused, match=r"SYSTEM/b: the layer would hold 2001 tokens; allowed are 2000"):
        manager.write(Layer.SYSTEM, "b", "y" * 1_001, producer=Producer.DESIGNER, approved=True)
    manager.write(Layer.SYSTEM, "a", "x" * 980, producer=Producer.DESIGNER, approved=True)
    manager.write(Layer.SYSTEM, "b", "y" * 1_010, producer=Producer.DESIGNER, approved=True)
    manager.commit("system", "", LATER)
    assert graph.contents(manager.head).space("SYSTEM").totals.full_tokens == 2_000


@given(st.text(min_size=12, max_size=20).filter(lambda text: text.isprintable()))
def test_ephemeral_never_reaches_the_graph(secret: str) -> None:
    graph = a_graph()
    manager = started(graph, {Layer.WORKING: {"a": 1}})
    manager.write(Layer.EPHEMERAL, secret, {"token": secret}, producer=Producer.AGENT)
    manager.write(Layer.WORKING, "b", 2, producer=Producer.AGENT)
    manager.commit("activity", "t", LATER)
    [branch] = manager.split(["b1"], SplitStrategy.INHERIT_ALL, (), LATER)
    assert manager.read(Layer.EPHEMERAL) == {secret: {"token": secret}}
    assert manager.char_count(Layer.EPHEMERAL) > len(secret)
    assert branch.read(Layer.EPHEMERAL) == {}
    stored = [repr(commit) for commit in graph.drain()] + [raw.decode() for _, raw in graph.values.drain()]
    assert not any(secret in text for text in stored)
    manager.delete(Layer.EPHEMERAL, "other")
    manager.clear(Layer.EPHEMERAL)
    assert manager.read(Layer.EPHEMERAL) == {}


def test_ephemeral_can_be_shared_by_the_managers_of_one_run() -> None:
    scratch: dict[str, Any] = {}
    graph = a_graph()
    ContextLayerManager(graph, ephemeral=scratch).write(Layer.EPHEMERAL, "a", 1, producer=Producer.AGENT)
    assert ContextLayerManager(graph, ephemeral=scratch).read(Layer.EPHEMERAL, ["a", "b"]) == {"a": 1}


def test_only_sure_knowledge_outlives_its_activity() -> None:
    manager = started(a_graph(), {Layer.WORKING: {"a": 1}})
    for name, confidence in {"sure": 0.71, "edge": 0.7, "weak": 0.2}.items():
        manager.write(Layer.KNOWLEDGE, name, name, producer=Producer.RETRIEVAL, confidence=confidence)
    manager.commit("activity", "t", LATER)
    manager.clear(Layer.KNOWLEDGE)
    manager.commit("activity", "t", LATER)
    assert manager.read(Layer.KNOWLEDGE) == {"sure": "sure"}
    manager.clear(Layer.WORKING)
    assert manager.read(Layer.WORKING) == {}


def test_characters_are_counted_as_shown() -> None:
    graph = a_graph()
    manager = started(graph, {Layer.WORKING: {"log": "长" * 300, "n": 1}})
    assert manager.char_count(Layer.WORKING) == len("log: ") + 302 + len("n: 1")
    text = graph.values.put("[Compressed] 长")
    manager.commit("D1", "t", LATER, shown={"WORKING/log": Shown(Fidelity.SUMMARY, text)})
    assert manager.char_count(Layer.WORKING) == len("log: [Compressed] 长") + len("n: 1")
    assert manager.read(Layer.WORKING, ["log"]) == {"log": "长" * 300}
    manager.write(Layer.WORKING, "log", "new", producer=Producer.AGENT)
    assert item_at(graph, manager.commit("activity", "t", LATER), "WORKING/log").fidelity is Fidelity.FULL


def test_restore_puts_back_what_stood() -> None:
    graph = a_graph()
    manager = started(graph, {Layer.WORKING: {"a": 1, "b": 2}})
    first = manager.head
    manager.write(Layer.WORKING, "a", 9, producer=Producer.AGENT)
    manager.delete(Layer.WORKING, "b")
    manager.write(Layer.WORKING, "c", 3, producer=Producer.AGENT)
    with pytest.raises(RuntimeError, match="commit them first"):
        manager.restore(first, LATER)
    second = manager.commit("activity", "t", LATER)
    assert manager.restore(first, LATER) == manager.head != first
    assert graph.contents(manager.head) == graph.contents(first)
    assert graph.get(manager.head).parents == (second,)
    assert graph.get(manager.head).meta.kind == "restore"


def test_the_same_step_gives_the_same_snapshot() -> None:
    heads = set()
    for names in (["a", "b"], ["b", "a"]):
        graph = a_graph()
        manager = started(graph, {Layer.WORKING: {"x": 1}})
        for name in names:
            manager.write(Layer.WORKING, name, name, producer=Producer.AGENT)
        heads.add(manager.commit("activity", "t", LATER))
    assert len(heads) == 1
