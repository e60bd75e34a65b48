"""Mappings of sub-processes, events and receive tasks, with their scopes."""

from __future__ import annotations

from typing import Any

import pytest

from bpmn.load import load
from engine.spiff.messages import NotAwaited
from engine.status import Status
from tests.engine.models import (
    boundary,
    catch,
    condition,
    edges,
    end,
    escalation,
    gateway,
    handler,
    instances,
    message,
    script,
    start,
    sub,
    throw,
    user,
)
from tests.engine.running import Run

SPACES = 'xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" xmlns:camunda="http://camunda.org/schema/1.0/bpmn"'
M = '<message id="m" name="m"/>'


def _source(*content: str, beside: str = M) -> bytes:
    return (
        f'<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" {SPACES}>'
        f'<process id="p" isExecutable="true">{"".join(content)}</process>{beside}</definitions>'
    ).encode()


def _zeebe(*parts: tuple[str, str, str]) -> str:
    mapped = "".join(f'<zeebe:{kind} source="{source}" target="{target}"/>' for kind, source, target in parts)
    return f"<extensionElements><zeebe:ioMapping>{mapped}</zeebe:ioMapping></extensionElements>"


def _camunda(*parts: tuple[str, str, str]) -> str:
    mapped = "".join(
        f'<camunda:{kind}Parameter name="{target}">${{{source.lstrip("=")}}}</camunda:{kind}Parameter>'
        for kind, source, target in parts
    )
    return f"<extensionElements><camunda:inputOutput>{mapped}</camunda:inputOutput></extensionElements>"


BOTH = pytest.mark.parametrize("mapping", [_zeebe, _camunda], ids=["camunda 8", "camunda 7"])


def _sub(inside: str, *content: str, path: str) -> str:
    return sub("x", start("xs"), *content, end("xe"), edges(path), inside=inside)


def _send(run: Run, key: Any = None, **payload: Any) -> None:
    """A message from outside."""
    run.go(lambda: run.advancing.correlate("m", payload, key))


@BOTH
def test_what_goes_into_a_sub_process_is_its_own_and_only_what_is_mapped_comes_out_of_that(mapping: Any) -> None:
    inside = mapping(("input", "=n + 1", "x"), ("input", "=x * 10", "y"), ("output", "=y + z", "r"))
    inner = _sub(inside, script("a", "y = y + 1\nz = x\nn = 5"), user("u"), path="xs > a > u > xe")
    run = Run(_source(start(), inner, end(), edges("s > x > e")), {"n": 1, "x": "outer"})
    assert run.variables["x"] == "outer"
    run.reload().do("u")
    assert (run.status, run.variables) == (Status.COMPLETED, {"n": 5, "x": "outer", "z": 2, "r": 23})
    assert run.done() == ["a", "u", "x"]


def test_branches_inside_share_what_is_the_sub_processs_own() -> None:
    inside = _zeebe(("input", "=0", "a"), ("input", "=0", "b"), ("output", "=a + b", "sum"))
    inner = _sub(inside, gateway("g"), script("l", "a = 1"), script("r", "b = 2"), gateway("j"),
                 path="xs > g > l > j > xe").replace("</subProcess>", edges("g > r > j") + "</subProcess>")  # fmt: skip
    assert Run(_source(start(), inner, end(), edges("s > x > e"))).variables == {"sum": 3}


def test_each_instance_has_its_own() -> None:
    inside = _zeebe(("input", "=it * 2", "double"), ("output", "=double", "o"))
    inner = _sub(inside + instances(collection="l", output="r"), script("a", "double = double + 1"), path="xs > a > xe")
    run = Run(_source(start(), inner, end(), edges("s > x > e")), {"l": [1, 2], "r": []})
    assert run.variables == {"l": [1, 2], "r": [3, 5]}


def test_a_sub_process_that_is_left_by_a_boundary_event_leaves_nothing_of_its_own() -> None:
    inside = _zeebe(("input", "=1", "x"), ("output", "=x", "never"))
    inner = _sub(inside, script("a", "x = 2"), throw("t", escalation()), user("u"), path="xs > a > t > u > xe")
    run = Run(
        _source(start(), inner, boundary("b", "x", escalation()), script("h", "h = 1"), end(), end("e2"),
                edges("s > x > e", "b > h > e2"), beside='<escalation id="esc" escalationCode="E"/>'), {"x": 0},
    )  # fmt: skip
    assert (run.status, run.variables) == (Status.COMPLETED, {"x": 0, "h": 1})


def test_an_event_sub_process_sees_what_is_the_sub_processs_own() -> None:
    inside = _zeebe(("input", "=7", "x"), ("output", "=x", "r"))
    event = handler("h", message(), script("i", "x = x + m"), end("he"), edges("h_s > i > he"), interrupting=False)
    inner = _sub(inside, user("u"), event, path="xs > u > xe")
    run = Run(_source(start(), inner, end(), edges("s > x > e")))
    _send(run, m=1)
    run.do("u")
    assert run.variables == {"m": 1, "r": 8}


@BOTH
@pytest.mark.parametrize("kind", ["catch", "receive", "gateway", "boundary", "listener"])
def test_only_what_is_mapped_comes_of_a_message(kind: str, mapping: Any) -> None:
    io = mapping(("output", "=order", "o"))
    caught = catch("c", io, message())
    others = ""
    path, rest = "s > c > e", ""
    if kind == "receive":
        caught = f'<receiveTask id="c" messageRef="m">{io}</receiveTask>'
    elif kind == "gateway":
        others = gateway("g", "eventBased") + catch("d", condition("never == 1"))
        path, rest = "s > g > c > e", edges("g > d > e2") + end("e2")
    elif kind == "boundary":
        caught = boundary("c", "u", f"{io}{message()}") + user("u")
        path, rest = "s > u > e", edges("c > e2") + end("e2")
    elif kind == "listener":
        caught = handler("c", f"{io}{message()}", end("ce"), edges("c_s > ce")) + user("u")
        path = "s > u > e"
    run = Run(_source(start(), caught, others, end(), edges(path), rest))
    _send(run, order=3, secret=4)
    assert (run.status, run.variables) == (Status.COMPLETED, {"o": 3})


def test_a_message_that_brings_nothing_is_mapped_too() -> None:
    run = Run(_source(start(), catch("c", _zeebe(("output", "=1 + 1", "seen")), message()), end(), edges("s > c > e")))
    _send(run)
    assert run.variables == {"seen": 2}


def test_what_goes_into_a_receive_task_is_there_for_its_key() -> None:
    keyed = M.replace("/>", ' xmlns:gov="urn:bpmn-governor:governance:1.0" gov:correlationKey="key"/>')
    task = f'<receiveTask id="c" messageRef="m">{_zeebe(("input", "=order.id", "key"))}</receiveTask>'
    run = Run(_source(start(), task, end(), edges("s > c > e"), beside=keyed), {"order": {"id": "o1"}})
    assert run.status is Status.WAITING
    with pytest.raises(NotAwaited):
        _send(run, key="o2")
    _send(run, key="o1")
    assert run.status is Status.COMPLETED
    assert run.variables == {"order": {"id": "o1"}}


@BOTH
def test_of_none_events(mapping: Any) -> None:
    begin = start("s", mapping(("output", "=1", "a")))
    between = throw("t", mapping(("output", "=a + 1", "b")))
    finish = end("e", mapping(("output", "=b + 1", "c")))
    assert Run(_source(begin, between, finish, edges("s > t > e"))).variables == {"a": 1, "b": 2, "c": 3}


@pytest.mark.parametrize("kind", ["intermediateThrowEvent", "endEvent", "sendTask"])
def test_what_goes_into_a_message_is_what_it_carries_and_not_the_processs(kind: str) -> None:
    message_inside = kind != "sendTask"
    attribute = "" if message_inside else ' messageRef="m"'
    inside = message() if message_inside else ""
    event = f'<{kind} id="t"{attribute}>{_zeebe(("input", "=n + 1", "x"))}{inside}</{kind}>'
    paths = ("s > t > e",) if kind != "endEvent" else ("s > t",)
    receiver = catch("c", message())
    run = Run(_source(start(), gateway("g"), event, receiver, "" if kind == "endEvent" else end(), end("e2"),
                      edges("s > g > c > e2", *(path.replace("s >", "g >") for path in paths))), {"n": 1})  # fmt: skip
    assert (run.status, run.variables) == (Status.COMPLETED, {"n": 1, "x": 2})


def test_what_goes_into_an_event_that_begins_is_told() -> None:
    begin = start("s", _zeebe(("input", "=1", "a")) + message())
    told = load(_source(begin, end(), edges("s > e")), file="a.bpmn").findings
    assert [(each.rule, each.element) for each in told if each.rule == "ignored"] == [("ignored", "s")]


def _call(inside: str, attributes: str = "") -> bytes:
    called = (
        f'<process id="q" isExecutable="true">{start("qs")}{script("qa", "seen = a + (b if b else 0)")}{end("qe")}'
        f"{edges('qs > qa > qe')}</process>"
    )
    activity = f'<callActivity id="c" {attributes}><extensionElements>{inside}</extensionElements></callActivity>'
    return _source(start(), activity, end(), edges("s > c > e"), beside=called)


@pytest.mark.parametrize(
    ("inside", "attributes", "seen"),
    [
        ('<zeebe:calledElement processId="q" propagateAllChildVariables="true"/>', "", 3),
        (
            '<zeebe:calledElement processId="q" propagateAllChildVariables="true"/><zeebe:ioMapping>'
            '<zeebe:input source="=a * 10" target="a"/></zeebe:ioMapping>', "", 12,
        ),
        (
            '<zeebe:calledElement processId="q" propagateAllParentVariables="false"/><zeebe:ioMapping>'
            '<zeebe:input source="=5" target="a"/><zeebe:input source="=null" target="b"/>'
            '<zeebe:output source="=seen" target="seen"/></zeebe:ioMapping>', "", 5,
        ),
        ('<camunda:out source="seen" target="seen"/>', 'calledElement="q" camunda:inheritVariables="true"', 3),
        (
            '<camunda:in sourceExpression="${a + 1}" target="a"/><camunda:in source="b" target="b"/>'
            '<camunda:out sourceExpression="${seen * 2}" target="seen"/>', 'calledElement="q"', 8,
        ),
    ],
)  # fmt: skip
def test_what_a_called_process_gets_and_gives_back(inside: str, attributes: str, seen: int) -> None:
    variables = Run(_call(inside, attributes), {"a": 1, "b": 2}, process="p").variables
    assert variables["seen"] == seen
    assert variables["a"] == (10 if "a * 10" in inside and "ChildVariables" in inside else 1)


def test_nothing_comes_back_where_the_file_says_so() -> None:
    inside = '<zeebe:calledElement processId="q" propagateAllChildVariables="false"/>'
    assert Run(_call(inside), {"a": 1, "b": 2}, process="p").variables == {"a": 1, "b": 2}


def test_a_parameter_may_be_a_list_a_map_or_a_script() -> None:
    inside = (
        "<extensionElements><camunda:inputOutput>"
        '<camunda:inputParameter name="l"><camunda:list><camunda:value>a</camunda:value></camunda:list>'
        "</camunda:inputParameter>"
        '<camunda:inputParameter name="m"><camunda:map><camunda:entry key="k">v</camunda:entry></camunda:map>'
        "</camunda:inputParameter>"
        '<camunda:outputParameter name="r"><camunda:script scriptFormat="python">[l, m]</camunda:script>'
        "</camunda:outputParameter></camunda:inputOutput></extensionElements>"
    )
    assert Run(_source(start(), f'<task id="a">{inside}</task>', end(), edges("s > a > e"))).variables == {
        "r": [["a"], {"k": "v"}]
    }
