"""Complex gateways, and activities that take or leave several tokens."""

from __future__ import annotations

import pytest

from engine.events import EventType
from engine.status import Status
from tests.engine.models import boundary, edges, end, gateway, model, script, start, sub, user
from tests.engine.running import Run


def joining(condition: str, *after: str) -> bytes:
    gate = f'<complexGateway id="j"><activationCondition>{condition}</activationCondition></complexGateway>'
    return model(
        start(), gateway("g"), user("a"), user("b"), user("c"), gate, script("z", "n = n + 1"), end(),
        edges("s > g > a > j > z > e", "g > b > j", "g > c > j"), *after,
    )  # fmt: skip


CODE = {"a": "x = 1", "b": "y = 1", "c": "z = 1"}


@pytest.mark.parametrize("needed", [1, 2, 3])
def test_it_goes_on_once_its_condition_holds_and_swallows_the_rest(needed: int) -> None:
    run = Run(joining(f"activationCount &gt;= {needed}"), {"n": 0}, code=CODE)
    for count, element in enumerate("abc", 1):
        run.reload().do(element)
        assert ("z" in run.done()) is (count >= needed)
    assert run.instance.status is Status.COMPLETED
    assert run.variables == {"n": 1, **dict.fromkeys("xyz"[:needed], 1)}
    late = [event for event in run.events(EventType.NOTICE) if "lost" in event.data]
    assert len(late) == (needed < 3)
    graph = run.instance.graph
    lost = {name for event in late for head in event.data["lost"] for name in graph.contents(head).names("WORKING")}
    assert lost >= set("xyz"[needed:])
    assert not [key for key in run.memory.rows if key[0] == "t" and key != "t1"]


def test_its_condition_may_read_variables() -> None:
    run = Run(joining("activationCount == 3 or x == 1"), {"n": 0, "x": 0}, code=CODE)
    run.do("b")
    assert "z" not in run.done()
    run.reload().do("a")
    assert "z" in run.done()


def test_in_a_loop_it_is_activated_anew_each_round() -> None:
    gate = '<complexGateway id="j"><activationCondition>activationCount &gt;= 1</activationCondition></complexGateway>'
    source = model(
        start(), gateway("m", "exclusive"), gateway("g"), script("a", "pass"), script("b", "pass"), gate,
        script("z", "n = n + 1"), gateway("x", "exclusive", "out"), end(),
        edges("s > m > g > a > j > z > x", "g > b > j", "x -n < 3-> m", "x =out=> e"),
    )  # fmt: skip
    run = Run(source, {"n": 0})
    assert run.status is Status.COMPLETED
    assert run.variables["n"] >= 3


def test_it_splits_as_an_inclusive_gateway_does() -> None:
    source = model(
        start(), gateway("g", "complex", "d"), script("a", "pass"), script("b", "pass"), script("c", "pass"), end(),
        edges("s > g", "g -x > 0-> a > e", "g -x > 1-> b > e", "g =d=> c > e"),
    )  # fmt: skip
    assert [sorted(Run(source, {"x": x}).done()) for x in range(3)] == [["c"], ["a"], ["a", "b"]]


def test_several_tokens_leave_an_activity_and_several_make_one_begin() -> None:
    source = model(
        start(), script("a", "pass").replace("<scriptTask", '<scriptTask completionQuantity="3"'), user("b"),
        script("c", "n = n + 1").replace("<scriptTask", '<scriptTask startQuantity="3"'), end(),
        edges("s > a > b > c > e"),
    )  # fmt: skip
    run = Run(source, {"n": 0, "x": 0}, code={"b": "x = x + 1"})
    (split,) = run.events(EventType.D2)
    assert len(set(split.data["branches"])) == 3
    for _ in range(2):
        run.reload().do("b")
        assert "c" not in run.done()
    run.reload().do("b")
    assert (run.instance.status, run.done()) == (Status.COMPLETED, ["a", "b", "b", "b", "c"])
    assert run.variables == {"n": 1, "x": 1}
    (merge,) = run.events(EventType.D3)
    assert len(merge.data["before"]) == 3


def test_too_few_tokens_are_a_stall_that_says_so() -> None:
    source = model(start(), script("c", "pass").replace("<scriptTask", '<scriptTask startQuantity="2"'), end(),
                   edges("s > c > e"))  # fmt: skip
    run = Run(source)
    assert run.status is Status.STALLED
    assert "c has 1 of 2 tokens" in (run.instance.reason or "")


THROWN = {
    "error": '<errorEventDefinition errorRef="err"/>',
    "escalation": '<escalationEventDefinition escalationRef="esc"/>',
}


@pytest.mark.parametrize("kind", THROWN)
def test_what_is_thrown_while_it_waits_for_the_rest_goes_past_it(kind: str) -> None:
    gate = '<complexGateway id="j"><activationCondition>activationCount &gt;= 1</activationCondition></complexGateway>'
    inside = sub(
        "q", start("s1"), gateway("g"), script("a", "x = 1"), user("b"), user("c"), gate, end("e1"),
        end("e9", THROWN[kind]), edges("s1 > g > a > j > e1", "g > b > j", "g > c > e9"),
    )  # fmt: skip
    source = model(
        start(), inside, boundary("w", "q", THROWN[kind]), script("h", "n = 1"), end(), end("e2"),
        edges("s > q > e", "w > h > e2"),
        beside='<error id="err" errorCode="E"/><escalation id="esc" escalationCode="X"/>',
    )  # fmt: skip
    run = Run(source)
    run.reload().do("c")
    assert run.instance.status is Status.COMPLETED
    assert (run.done()[-1], run.open_items()) == ("h", [])
