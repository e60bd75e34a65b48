"""Whatever the bytes of a decision model: a result, or an error of ours; whatever its findings, no crash."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bpmn.dmn.decisions import Decisions
from bpmn.dmn.model import Reference
from bpmn.errors import BpmnError
from bpmn.expressions.compiler import compile_condition
from bpmn.expressions.errors import LimitReached
from bpmn.expressions.limits import Limits
from bpmn.expressions.places import Where
from tests.bpmn.dmn.models import data, decide, decision, definitions, item, knowledge, literal, loaded, table

SEEDS = (
    definitions(
        item("t", parts={"a b": "number"}), item("l", "t", many=True, allowed='"x"'), data("n", "l"),
        decision("d", table(["n[1].a b", "k"], ["r", "s"], ["[1..2] | - => n | 1"], policy="COLLECT"), ["n"], ["k"]),
        knowledge("k", {"x": "number"}, literal("x + 1")), decision("e", f"<list>{literal('d')}</list>", ["!d"]),
    ),
    definitions(
        data("n"), decision("d", f"<context><contextEntry>{literal('n')}</contextEntry></context>", ["n"]),
        '<decisionService id="s" name="s"><outputDecision href="#d"/><inputData href="#n"/></decisionService>',
        decision("e", f'<for iteratorVariable="i"><in>{literal("[1, 2]")}</in><return>{literal("s(i)")}</return></for>',
                 knows=["s"]),
    ),
)  # fmt: skip
WORDS = [
    b'"', b"<", b">", b"</", b"/>", b"&amp;", b"#", b"#d", b"#k", b"name", b"d", b"k", b"n", b"(", b"-", b"\xff",
    b"<text>", b"typeRef", b"t", b"l", b'hitPolicy="UNIQUE"', b"1", b"[", b"decision", b"<rule/>", b"<output/>",
]  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A right file with a few pieces cut out, doubled or put in."""
    source = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(source)))
        end = min(len(source), start + draw(st.integers(0, 30)))
        source = source[:start] + draw(st.sampled_from([b"", source[start:end] * 2, *WORDS])) + source[end:]
    return source


@settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(mutated())
def test_any_bytes(source: bytes) -> None:
    limits = Limits(steps=20_000)
    try:
        decisions = Decisions.load({"m.dmn": source})
    except BpmnError:
        return
    assert all(finding.file == "m.dmn" for finding in decisions.findings())
    for model in decisions.models:
        for name in (*model.decisions, *model.services):
            try:
                assert decisions.decide(Reference(model.namespace, name), {"n": [{"a b": 1}]}, limits).notes is not None
            except BpmnError:
                continue


def test_values_that_hold_themselves_many_times_end_soon() -> None:
    source = definitions(
        item("tree", parts={"l": "tree", "r": "tree"}),
        knowledge("twice", {"x": ""}, literal("{l: x, r: x}")),
        decision("d", literal("twice(" * 50 + "{}" + ")" * 50), knows=["twice"], type="tree"),
    )
    with pytest.raises(LimitReached):
        decide(source, "d")


def test_a_service_that_calls_itself_ends() -> None:
    source = definitions(
        data("n"), decision("d", literal("s(n + 1)"), ["n"], ["s"]),
        '<decisionService id="s" name="s"><variable name="s"/><outputDecision href="#d"/><inputData href="#n"/>'
        "</decisionService>",
    )  # fmt: skip
    with pytest.raises(LimitReached):
        decide(source, "d", n=1)


def deep(levels: int, work: Callable[[], object]) -> object:
    """Works on top of so many calls."""
    return work() if levels == 0 else deep(levels - 1, work)


@pytest.mark.parametrize("levels", range(500, 960, 50))
def test_a_full_stack_is_an_error_of_ours(levels: int) -> None:
    nested = "<list>" * 90 + literal("(((1)))") + "</list>" * 90
    decisions = loaded(definitions(decision("d", nested)))

    def work() -> None:
        decisions.findings()
        decisions.decide(Reference("urn:rules", "d"), {})
        compile_condition("= " + "(" * 50 + "1" + ")" * 50, where=Where("a", "b")).evaluate({})

    with suppress(BpmnError):
        deep(levels - stack(), work)


def stack() -> int:
    return len(inspect.stack(0))
