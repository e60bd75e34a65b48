"""Names of messages and signals, and codes of what is thrown, that are expressions."""

from __future__ import annotations

import pytest

from engine.spiff.waiting import waiting_events
from engine.status import Status
from tests.bpmn.files import finding, loaded, rules
from tests.engine.models import (
    boundary,
    catch,
    edges,
    end,
    error,
    escalation,
    gateway,
    message,
    model,
    script,
    signal,
    start,
    sub,
    throw,
    user,
)
from tests.engine.running import Run


def _named(kind: str, name: str) -> str:
    quoted = name.replace('"', "&quot;")
    return f'<{kind} id="{"m" if kind == "message" else "sig"}" name="{quoted}"/>'


@pytest.mark.parametrize("name", ["order-#{id}", '= "order-" + id', "order-${id}"])
def test_a_message_goes_by_the_name_that_is_computed(name: str) -> None:
    source = model(start(), catch("c", message()), user("u"), end(), edges("s > c > u > e"),
                   beside=_named("message", name))  # fmt: skip
    run = Run(source, {"id": "7"})
    (told,) = waiting_events(run.instance.workflow)
    assert told["name"] == "order-7"
    run.reload().go(lambda: run.advancing.correlate("order-7", {"x": 1}))
    assert (run.open_items(), run.variables) == (["u"], {"id": "7", "x": 1})


def test_who_throws_and_who_waits_compute_each_for_themselves() -> None:
    source = model(
        start(), gateway("g"), script("one", "id = 'a'"), catch("c", message()), script("got", "got = 1"),
        script("two", "id = 'b'"), catch("d", message()), script("late", "late = 1"), user("u"),
        throw("t", message()), end(), end("e2"), end("e3"),
        edges("s > g > one > c > got > e", "g > two > d > late > e2", "g > u > t > e3"),
        beside=_named("message", "to-${id}"),
    )  # fmt: skip
    run = Run(source, {"id": "none"}, code={"u": "id = 'a'"})
    run.reload().do("u")
    assert "got" in run.done()
    assert "late" not in run.done()


def test_a_signal_goes_by_the_name_that_is_computed() -> None:
    source = model(
        start(), gateway("g"), catch("c", signal()), user("u"), throw("t", signal()), end(), end("e2"),
        edges("s > g > c > e", "g > u > t > e2"), beside=_named("signal", "news-${topic}"),
    )  # fmt: skip
    run = Run(source, {"topic": "x"})
    assert [each["name"] for each in waiting_events(run.instance.workflow)] == ["news-x"]
    run.reload().do("u")
    assert run.instance.status is Status.COMPLETED


@pytest.mark.parametrize(("thrown", "caught"), [("E1", "a"), ("E2", "b")])
def test_an_error_and_an_escalation_have_the_code_that_is_computed(thrown: str, caught: str) -> None:
    for kind, throws in (("error", error()), ("escalation", escalation())):
        beside = (
            f'<{kind} id="{kind[:3]}" name="x" {kind}Code="${{code}}"/>'
            f'<{kind} id="one" name="1" {kind}Code="E1"/><{kind} id="two" name="2" {kind}Code="E2"/>'
        )
        inner = sub("sp", start("s2"), end("e2", throws), edges("s2 > e2"))
        catches = (f'<{kind}EventDefinition {kind}Ref="{ref}"/>' for ref in ("one", "two"))
        source = model(
            start(), inner, boundary("b1", "sp", next(catches)), boundary("b2", "sp", next(catches)),
            script("a", "got = 'a'"), script("b", "got = 'b'"), end(), end("e3"), end("e4"),
            edges("s > sp > e", "b1 > a > e3", "b2 > b > e4"), beside=beside,
        )  # fmt: skip
        assert Run(source, {"code": thrown}).variables["got"] == caught


def test_a_name_that_cannot_be_computed_is_an_incident() -> None:
    for name, variables in (("x-${none}", {}), ("${id}", {"id": [1]}), ("${id}", {"id": ""})):
        source = model(start(), catch("c", message()), end(), edges("s > c > e"), beside=_named("message", name))
        run = Run(source, variables)
        assert run.instance.status is Status.FAILED
        assert "c: " in run.instance.reason


def test_what_begins_a_process_or_catches_an_error_is_told() -> None:
    starts = model(start("s", message()), end(), edges("s > e"), beside=_named("message", "a-${x}"))
    assert finding(starts, "ignored").found == "a-${x}"
    caught = model(start(), user("u"), boundary("b", "u", error()), end(), end("e2"), edges("s > u > e", "b > e2"),
                   beside='<error id="err" errorCode="${x}"/>')  # fmt: skip
    assert finding(caught, "ignored").found == "${x}"
    inside = sub("sp", start("s2"), user("v"), end("e3"), edges("s2 > v > e3"))
    fine = model(start(), inside, catch("c", message()), end(), edges("s > sp > c > e"),
                 beside=_named("message", "a-${x}"))  # fmt: skip
    assert "ignored" not in rules(loaded(fine).findings)


def test_a_name_that_is_no_expression_is_refused_at_its_element() -> None:
    wrong = model(start(), catch("c", message()), end(), edges("s > c > e"), beside=_named("message", "= 1 +"))
    assert finding(wrong, "expression").element == "c"


MESSAGES = '<message id="m1" name="M1"/><message id="m2" name="M2"/>'


def test_of_several_messages_each_counts_once_and_for_itself() -> None:
    both = catch("c", message("m1"), message("m2"), every=True)
    source = model(start(), both, end(), edges("s > c > e"), beside=MESSAGES)
    run = Run(source)
    run.go(lambda: run.advancing.correlate("M2", {"a": 1}))
    with pytest.raises(Exception, match="nothing waits for it"):
        run.go(lambda: run.advancing.correlate("M2", {"b": 2}))
    assert run.instance.status is Status.WAITING
    run.reload().go(lambda: run.advancing.correlate("M1", {"c": 3}))
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"a": 1, "c": 3})
