"""Signals, escalations, conditions, links, multiple events: who catches what, and how often."""

from __future__ import annotations

from datetime import timedelta

import pytest

from engine.activities.work import BpmnErrorRaised, Outcome, Work
from engine.events import EventType
from engine.spiff.waiting import waiting_events
from engine.status import Status
from tests.engine.models import (
    MESSAGE,
    boundary,
    catch,
    condition,
    edges,
    end,
    escalation,
    gateway,
    message,
    model,
    script,
    service,
    signal,
    start,
    sub,
    throw,
    timer,
    user,
)
from tests.engine.running import BEGIN, Run

SIGNALS = '<signal id="sig" name="Sig"/><signal id="other" name="Other"/>'
ESCALATION = '<escalation id="esc" name="Esc" escalationCode="E"/>'


def test_a_link_leads_on() -> None:
    source = model(
        start(), throw("to", '<linkEventDefinition name="l"/>'), throw("to2", '<linkEventDefinition name="l"/>'),
        catch("here", '<linkEventDefinition name="l"/>'), script("a", "n = n + 1"), gateway("g"), end(),
        edges("s > g > to", "g > to2", "here > a > e"),
    )  # fmt: skip
    assert Run(source, {"n": 0}).done() == ["a", "a"]


def test_a_signal_reaches_all_that_wait_for_it_and_nobody_else() -> None:
    source = model(
        start(), gateway("g"), user("u"), throw("t", signal()), catch("c1", signal()), catch("c2", signal()),
        catch("c3", signal("other")), script("a", "pass"), script("b", "pass"), script("c", "pass"),
        *(end(f"e{n}") for n in range(4)),
        edges("s > g > u > t > e0", "g > c1 > a > e1", "g > c2 > b > e2", "g > c3 > c > e3"), beside=SIGNALS,
    )  # fmt: skip
    run = Run(source)
    run.reload().do("u")
    assert sorted(run.done()) == ["a", "b", "u"]
    assert run.instance.status is Status.WAITING


def test_a_signal_end_event_reaches_the_boundary_event_around_it_and_ends() -> None:
    inner = sub("sp", start("s2"), end("e2", signal()), edges("s2 > e2"))
    source = model(start(), inner, boundary("b", "sp", signal()), script("a", "pass"), script("h", "pass"), end(),
                   end("e3"), edges("s > sp > a > e", "b > h > e3"), beside=SIGNALS)  # fmt: skip
    run = Run(source)
    assert (run.status, run.done()) == (Status.COMPLETED, ["h"])


def test_an_interrupting_event_comes_before_any_further_inner_step() -> None:
    inner = sub("sp", start("s2"), throw("t", escalation()), script("a", "x = 1"), end("e2"), edges("s2 > t > a > e2"))
    source = model(start(), inner, boundary("b", "sp", escalation()), script("h", "pass"), end(), end("e3"),
                   edges("s > sp > e", "b > h > e3"), beside=ESCALATION)  # fmt: skip
    run = Run(source)
    assert (run.status, run.done(), run.variables) == (Status.COMPLETED, ["h"], {})


def test_an_escalation_that_does_not_interrupt_is_a_branch_and_can_come_again() -> None:
    inner = sub("sp", start("s2"), throw("t", escalation()), throw("t2", escalation()), script("a", "x = 1"),
                end("e2"), edges("s2 > t > t2 > a > e2"))  # fmt: skip
    source = model(
        start(), inner, boundary("b", "sp", escalation(), interrupting=False), script("h", "n = n + 1"), end(),
        end("e3"), edges("s > sp > e", "b > h > e3"), beside=ESCALATION,
    )  # fmt: skip
    run = Run(source, {"n": 0})
    assert (run.status, sorted(run.done())) == (Status.COMPLETED, ["a", "h", "h"])
    split = [event.data["branches"] for event in run.events(EventType.D2)]
    assert [len(branches) for branches in split] == [1, 1]
    assert len({branch for branches in split for branch in branches}) == 2
    assert run.events(EventType.D3)
    assert run.instance.graph.get(run.head).parents


def test_an_escalation_goes_on_through_a_called_process_and_harms_nobody_where_nobody_catches_it() -> None:
    called = f'<process id="q" isExecutable="true">{start("qs")}{end("qe", escalation())}{edges("qs > qe")}</process>'
    source = model(
        start(), '<callActivity id="c" calledElement="q"/>', boundary("b", "c", escalation(), interrupting=False),
        script("h", "pass"), throw("t", escalation()), end(), end("e2"), edges("s > c > t > e", "b > h > e2"),
        beside=called + ESCALATION,
    )  # fmt: skip
    run = Run(source, process="p")
    assert (run.status, run.done().count("h")) == (Status.COMPLETED, 1)


CONDITIONAL = (start(), gateway("g"), user("u"), user("v"), end(), end("e2"), end("e3"))


def test_a_condition_is_looked_at_when_what_it_reads_is_written() -> None:
    source = model(*CONDITIONAL, catch("c", condition("x > 1 and y")), script("a", "pass"),
                   edges("s > g > u > e", "g > v > e2", "g > c > a > e3"))  # fmt: skip
    run = Run(source, {"x": 0}, code={"u": "x = 5\ny = False", "v": "x = 2\ny = True"})
    run.reload().do("u")
    assert "a" not in run.done()
    run.reload().do("v")
    assert run.done()[-1] == "a"
    assert run.instance.status is Status.COMPLETED


def test_a_condition_that_holds_already_is_no_wait() -> None:
    source = model(start(), catch("c", condition("x > 1")), script("a", "pass"), end(), edges("s > c > a > e"))
    assert Run(source, {"x": 2}).done() == ["a"]
    waiting = Run(source, {"x": 1})
    assert (waiting.status, waiting.done()) == (Status.WAITING, [])


def test_a_condition_that_interrupts_nothing_fires_each_time_it_becomes_true() -> None:
    inner = sub("sp", start("s2"), user("u"), gateway("x", "exclusive", "out"), end("e2"),
                gateway("m", "exclusive"), edges("s2 > m > u > x", "x -n < 5-> m", "x =out=> e2"))  # fmt: skip
    source = model(
        start(), inner, boundary("b", "sp", condition("n % 2 == 1"), interrupting=False), script("h", "pass"), end(),
        end("e3"), edges("s > sp > e", "b > h > e3"),
    )  # fmt: skip
    run = Run(source, {"n": 0}, code={"u": "n = n + 1"})
    for _ in range(5):
        run.reload().do("u")
    assert run.done().count("h") == 3
    assert run.instance.status is Status.COMPLETED


def test_a_condition_that_interrupts_does_so_before_the_next_step() -> None:
    inner = sub("sp", start("s2"), script("a", "x = 1"), script("b", "y = 1"), end("e2"), edges("s2 > a > b > e2"))
    source = model(start(), inner, boundary("c", "sp", condition("x == 1")), script("h", "pass"), end(), end("e3"),
                   edges("s > sp > e", "c > h > e3"))  # fmt: skip
    run = Run(source, {"x": 0})
    assert (run.status, run.done(), run.variables) == (Status.COMPLETED, ["a", "h"], {"x": 0})
    assert run.instance.workflow.event_manager.tasks == {}


def test_a_condition_of_a_caller_does_not_see_the_called_processs_variables() -> None:
    called = (
        f'<process id="q" isExecutable="true"><ioSpecification><dataOutput id="o" name="r"/><inputSet/><outputSet/>'
        f'</ioSpecification>{start("qs")}{script("qa", "x = 1; r = 1")}{end("qe")}{edges("qs > qa > qe")}</process>'
    )
    source = model(
        start(), '<callActivity id="c" calledElement="q"/>', boundary("b", "c", condition("x == 1")),
        script("h", "pass"), end(), end("e2"), edges("s > c > e", "b > h > e2"), beside=called,
    )  # fmt: skip
    assert "h" not in Run(source, {"x": 0}, process="p").done()


@pytest.mark.parametrize(("every", "after"), [(False, 1), (True, 2)])
def test_an_event_with_several_triggers_waits_for_one_or_for_all(every: bool, after: int) -> None:
    source = model(start(), catch("c", message(), message("m2"), timer("PT1H"), every=every), script("a", "pass"),
                   end(), edges("s > c > a > e"), beside=MESSAGE + '<message id="m2" name="m2"/>')  # fmt: skip
    run = Run(source)
    run.reload().go(lambda: run.advancing.correlate("m2", {"x": 1}))
    assert (run.done() == ["a"]) is not every
    if every:
        run.reload().go(lambda: run.advancing.correlate("m", {"y": 2}))
        assert run.done() == []
        run.reload().clock.move_to(BEGIN + timedelta(hours=1))
        run.go()
    assert run.done() == ["a"]
    assert run.variables == ({"x": 1, "y": 2} if every else {"x": 1})


def test_an_event_with_several_triggers_throws_all() -> None:
    source = model(
        start(), gateway("g"), user("u"), throw("t", signal(), signal("other")), catch("c1", signal()),
        catch("c2", signal("other")), end(), end("e1"), end("e2"),
        edges("s > g > u > t > e", "g > c1 > e1", "g > c2 > e2"), beside=SIGNALS,
    )  # fmt: skip
    assert Run(source).do_all().instance.status is Status.COMPLETED


def test_a_message_that_does_not_interrupt_can_come_again_and_again() -> None:
    source = model(start(), user("u"), boundary("b", "u", message(), interrupting=False), script("h", "n = k"), end(),
                   end("e2"), edges("s > u > e", "b > h > e2"), beside=MESSAGE)  # fmt: skip
    run = Run(source)
    rows = []
    for number in range(6):
        run.reload().go(lambda number=number: run.advancing.correlate("m", {"k": number}))  # type: ignore[misc]
        rows.append(len(run.memory.rows))
    assert run.done().count("h") == 6
    run.do("u")
    assert run.instance.status is Status.COMPLETED
    assert run.instance.workflow.event_manager.tasks == {}


def test_a_loop_over_an_activity_with_boundary_events_keeps_no_more_with_each_round() -> None:
    source = model(
        start(), gateway("m", "exclusive"), user("u"), boundary("b", "u", timer("PT1H")), end("late"),
        gateway("x", "exclusive", "out"), end(), edges("s > m > u > x", "x -n < 20-> m", "x =out=> e", "b > late"),
    )  # fmt: skip
    run = Run(source, {"n": 0}, code={"u": "n = n + 1"})
    sizes = []
    for _ in range(19):
        run.do("u")
        sizes.append(len(run.memory.rows))
    assert max(sizes) == sizes[0]


def test_a_process_that_begins_with_an_event_waits_for_it() -> None:
    begins = '<startEvent id="s"><messageEventDefinition messageRef="m"/></startEvent>'
    run = Run(model(begins, script("a", "x = 1"), end(), edges("s > a > e"), beside='<message id="m" name="go"/>'))
    assert run.status is Status.WAITING
    assert [each["kind"] for each in waiting_events(run.instance.workflow)] == ["message"]


ERRORS = '<error id="err" name="Err" errorCode="E1" camunda:errorMessage="all wrong"/>'
_KEPT = 'camunda:errorCodeVariable="code" camunda:errorMessageVariable="text"'


@pytest.mark.parametrize("ref", ['errorRef="err"', ""])
def test_a_caught_error_leaves_its_code_and_message(ref: str) -> None:
    inner = sub("sp", start("s2"), end("e2", '<errorEventDefinition errorRef="err"/>'), edges("s2 > e2"))
    caught = boundary("b", "sp", f"<errorEventDefinition {ref} {_KEPT}/>")
    source = model(start(), inner, caught, user("u"), end(), end("e3"), edges("s > sp > e", "b > u > e3"),
                   beside=ERRORS)  # fmt: skip
    run = Run(source)
    assert run.reload().variables == {"code": "E1", "text": "all wrong"}


def test_what_a_handler_raises_leaves_its_code_and_message() -> None:
    def fails(work: Work) -> Outcome:
        raise BpmnErrorRaised("E1", "torn page", {"why": 7})

    def breaks(work: Work) -> Outcome:
        raise ValueError("no such page")

    for handler, code, text in ((fails, "E1", "torn page"), (breaks, "ValueError", "no such page")):
        errors = f'<error id="err" errorCode="{code}"/>'
        caught = boundary("b", "a", f'<errorEventDefinition errorRef="err" {_KEPT}/>')
        source = model(start(), service("a"), caught, user("u"), end(), end("e3"), edges("s > a > e", "b > u > e3"),
                       beside=errors)  # fmt: skip
        run = Run(source, handlers={"a": handler})
        assert {name: run.variables[name] for name in ("code", "text")} == {"code": code, "text": text}


def test_a_caught_escalation_leaves_its_code() -> None:
    inner = sub("sp", start("s2"), throw("t", escalation()), user("u"), end("e2"), edges("s2 > t > u > e2"))
    event = '<escalationEventDefinition camunda:escalationCodeVariable="code"/>'
    source = model(start(), inner, boundary("b", "sp", event), user("v"), end(), end("e3"),
                   edges("s > sp > e", "b > v > e3"), beside=ESCALATION)  # fmt: skip
    assert Run(source).variables == {"code": "E"}
