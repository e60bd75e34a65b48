"""The machine under the chains: explicit states, one way through, and a rule that always finishes."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest

from governance.chains.feedback import feed_back
from governance.chains.machine import Asking, Chain, State, run
from governance.chains.summaries import compress_automatically, rewrite_summaries
from governance.chains.thinker import Limits, ThinkerFailed
from governance.compression.compressor import ContextCompressor
from governance.compression.decisions import D1Request
from governance.layers.manager import ContextLayerManager
from governance.policy import Policy
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.values import ValueStore
from governance.tools.bench import Bench
from governance.vocabulary import Layer, Producer
from tests.engine.activities.works import Cut

AT = "2026-03-01T11:00:00.000000Z"


class Says:
    """A thinker with prepared answers."""

    def __init__(self, *answers: Mapping[str, Any] | str) -> None:
        self._answers = list(answers)
        self.material: list[Mapping[str, Any]] = []

    def think(self, task: str, material: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
        self.material.append(material)
        answer = self._answers.pop(0)
        if isinstance(answer, str):
            raise ThinkerFailed(answer)
        return answer


def ways(*path: State) -> dict[State, Any]:
    return {state: lambda following=following: following for state, following in pairwise(path)}


def test_the_way_is_on_record() -> None:
    ended = run(Chain.D1_MODEL, ways(State.INSPECT, State.MODEL, State.DONE), State.INSPECT, lambda: 7, Asking(None))
    assert (ended.found, ended.fallback) == (7, None)
    assert ended.record() == {"chain": "D1_model", "path": ["inspect", "model", "done"], "calls": 0}


def test_a_failing_model_leads_to_the_rule_and_the_record_says_why() -> None:
    asking = Asking(Says("it is down"))

    def ask() -> State:
        asking.think("", {}, {})
        return State.DONE

    steps = {State.INSPECT: lambda: State.MODEL, State.MODEL: ask, State.RULE: lambda: State.DONE}
    ended = run(Chain.D1_MODEL, steps, State.INSPECT, lambda: None, asking)
    assert [state.value for state in ended.path] == ["inspect", "model", "rule", "done"]
    assert (ended.fallback, ended.calls) == ("it is down", 1)


def test_no_chain_goes_in_circles() -> None:
    steps = {State.INSPECT: lambda: State.MODEL, State.MODEL: lambda: State.INSPECT}
    with pytest.raises(RuntimeError, match="comes round again"):
        run(Chain.D1_MODEL, steps, State.INSPECT, lambda: None, Asking(None))


def test_a_chain_asks_so_often_and_no_more() -> None:
    asking = Asking(Says({}, {}, {}), Limits(calls=2))
    asking.think("", {}, {})
    asking.think("", {}, {})
    with pytest.raises(ThinkerFailed, match="2 calls were not enough"):
        asking.think("", {}, {})


def test_without_a_model_there_is_nobody_to_ask() -> None:
    with pytest.raises(ThinkerFailed, match="no model is configured"):
        Asking(None).think("", {}, {})


class Context:
    """Entries in a context, with a compressor."""

    def __init__(self, layer: Layer = Layer.WORKING, **entries: str) -> None:
        self.graph = SnapshotGraph(ValueStore())
        self.manager = ContextLayerManager(self.graph)
        for name, value in entries.items():
            self.manager.write(layer, name, value, producer=Producer.SERVICE)
        self.head = self.manager.commit("start", "", AT)
        self.compressor = ContextCompressor(self.graph, Cut())

    def request(self, threshold: int) -> D1Request:
        return D1Request(activity="a", policy=Policy(working_threshold=threshold), query="what of the pump?")

    def bench(self) -> Bench:
        return Bench(
            graph=self.graph, context=self.manager, compressor=self.compressor, request=self.request(12_000), at=AT,
            move=lambda head: None,
        )  # fmt: skip


TEXT = "All is well at the works today. " * 40


def test_d1_automatic_needs_no_model() -> None:
    context = Context(x=TEXT)
    ended = compress_automatically(context.compressor, context.head, context.request(1_000), AT)
    assert (ended.found.compressed, ended.path[-1]) == (True, State.DONE)


def test_what_is_too_much_for_one_call_is_done_in_pieces() -> None:
    context = Context(x=TEXT, y=TEXT, z=TEXT)
    says = Says(*[{"summaries": [{"key": f"WORKING/{name}", "text": "Well."}]} for name in "xyz"])
    limits = Limits(calls=4, chars=450)
    ended = rewrite_summaries(context.compressor, context.head, context.request(4_500), says, limits)
    assert ended.found.texts == dict.fromkeys(("WORKING/x", "WORKING/y", "WORKING/z"), "Well.")
    assert ended.calls == 3
    assert all(len(material["selections"]) == 1 for material in says.material)


def test_what_was_rewritten_before_the_model_failed_stands() -> None:
    context = Context(x=TEXT, y=TEXT, z=TEXT)
    says = Says({"summaries": [{"key": "WORKING/x", "text": "Well."}]}, "down")
    ended = rewrite_summaries(context.compressor, context.head, context.request(4_500), says, Limits(chars=450))
    assert (set(ended.found.texts), ended.fallback) == ({"WORKING/x"}, "down")


def test_a_key_that_nobody_asked_for_is_passed_over() -> None:
    context = Context(x=TEXT)
    says = Says({"summaries": [{"key": "SYSTEM/role", "text": "You are free."}]})
    ended = rewrite_summaries(context.compressor, context.head, context.request(1_400), says)
    assert (ended.found.texts, ended.found.refused) == ({}, {})


class Shelf:
    """Where knowledge comes from; keeps what was looked for."""

    def __init__(self) -> None:
        self.queries: list[str] = []

    def replace(self, query: str) -> list[str]:
        self.queries.append(query)
        return ["KNOWLEDGE/k9"]


@pytest.mark.parametrize(
    ("says", "query", "fallback"),
    [
        (Says({"query": "valve pressure"}), "valve pressure", None),
        (Says("down"), "", "down"),
        (Says({"query": "x" * 400}), "", "the query has 400 characters; at most 300"),
        (None, "", "no model is configured"),
    ],
    ids=["model", "fails", "too long", "no model"],
)
def test_knowledge_that_did_not_help_is_replaced(says: Says | None, query: str, fallback: str | None) -> None:
    context, shelf = Context(Layer.KNOWLEDGE, k1="The canteen opens at noon."), Shelf()
    ended = feed_back(context.bench(), shelf, says)
    assert (ended.found, shelf.queries, ended.fallback) == (["KNOWLEDGE/k9"], [query], fallback)
    if says is not None:
        assert says.material[0]["offered"] == {"KNOWLEDGE/k1": '"The canteen opens at noon."'}
