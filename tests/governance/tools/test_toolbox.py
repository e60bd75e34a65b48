"""The four tools without a process: arguments, what is hidden, what is given."""

from __future__ import annotations

from typing import Any

import pytest

from governance.compression.compressor import ContextCompressor
from governance.compression.decisions import D1Request
from governance.layers.branching import hidden_in
from governance.layers.manager import ContextLayerManager
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.values import ValueStore
from governance.tools.bench import Bench
from governance.tools.errors import BadArguments, ToolRefused, UnknownTool
from governance.tools.inspecting import MOST_CHARS
from governance.tools.toolbox import TOOLS, call, parsed
from governance.vocabulary import Layer, Producer, SplitStrategy
from tests.engine.activities.works import Cut

AT = "2026-03-01T11:00:00.000000Z"


def a_bench(*, sealed: SplitStrategy | None = None, **entries: Any) -> Bench:
    graph = SnapshotGraph(ValueStore())
    context = ContextLayerManager(graph)
    for name, value in entries.items():
        context.write(Layer.WORKING, name, value, producer=Producer.SERVICE)
    context.commit("start", "", AT)
    if sealed is not None:
        (context,) = context.split(["/g@1:2.a"], sealed, (), AT)
    return Bench(
        graph=graph,
        context=context,
        compressor=ContextCompressor(graph, Cut()),
        request=D1Request(activity="a"),
        at=AT,
        move=lambda head: None,
        sealed=context.branch if sealed is not None else "",
    )


def given(bench: Bench, tool: str, **arguments: Any) -> dict[str, Any]:
    told = call(bench, tool, arguments)
    assert isinstance(told, dict)
    return told


@pytest.mark.parametrize("name", TOOLS)
def test_every_argument_is_told_to_models(name: str) -> None:
    schema = TOOLS[name].schema
    assert (schema["type"], schema["additionalProperties"]) == ("object", False)
    assert TOOLS[name].description
    untold = [key for key, part in schema["properties"].items() if "description" not in part and key != "mode"]
    assert untold == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("{", "not JSON"),
        ("NaN", "not JSON"),
        ("[]", "allowed: an object"),
        ({"layer": "HEAP"}, "layer: Input should be"),
        ({"key": ["x"]}, "key: Extra inputs are not permitted"),
    ],
)
def test_what_is_wrong_with_arguments_is_named(arguments: Any, told: str) -> None:
    with pytest.raises(BadArguments, match="context_inspect: ") as refused:
        parsed("context_inspect", arguments)
    assert told in str(refused.value)


def test_no_arguments_at_all_are_an_empty_object() -> None:
    assert parsed("context_inspect", "").layer == "ALL"


def test_a_tool_that_there_is_not() -> None:
    with pytest.raises(UnknownTool, match="there are context_inspect, context_compress"):
        call(a_bench(), "context_delete", {})


def test_a_record_is_given_with_its_outputs_and_a_large_entry_is_cut() -> None:
    told = given(a_bench(x="word " * 5_000, y=1), "context_inspect", keys=["x", "WORKING/y"])
    assert len(told["entries"]["WORKING/x"]) < MOST_CHARS + 50
    assert told["entries"]["WORKING/x"].endswith("more characters)")
    assert told["left_out"] == ["WORKING/y"]


def test_what_a_split_hides_is_neither_named_nor_given() -> None:
    bench = a_bench(sealed=SplitStrategy.ISOLATED, secret="s3cret")
    assert hidden_in(bench.graph, bench.context.head) == {"WORKING/secret"}
    told = given(bench, "context_inspect")
    assert "secret" not in str(told)
    with pytest.raises(ToolRefused, match="secret is kept from this branch"):
        call(bench, "context_inspect", {"keys": ["secret"]})


def test_what_a_branch_writes_itself_is_not_hidden_from_it() -> None:
    bench = a_bench(sealed=SplitStrategy.ISOLATED, secret="s3cret")
    bench.context.write(Layer.WORKING, "secret", "mine", producer=Producer.AGENT)
    bench.context.commit("activity", "a", AT)
    assert given(bench, "context_inspect", keys=["secret"])["entries"] == {"WORKING/secret": "mine"}
    assert given(bench, "context_branch", mode="evaluate")["written"] == ["secret"]
