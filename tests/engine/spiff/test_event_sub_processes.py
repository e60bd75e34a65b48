"""Event sub-processes: they listen while their scope is open, and see what it has come to."""

from __future__ import annotations

from datetime import timedelta

import pytest

from engine.activities.work import BpmnErrorRaised, Outcome, Work
from engine.events import EventType
from engine.status import Status
from tests.engine.models import (
    MESSAGE,
    boundary,
    condition,
    edges,
    end,
    error,
    escalation,
    gateway,
    handler,
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

BESIDE = (
    f'{MESSAGE}<signal id="sig" name="Sig"/><escalation id="esc" escalationCode="E"/>'
    '<error id="err" errorCode="E1"/>'
)


def body(code: str, event: str, *, interrupting: bool = True) -> str:
    """An event sub-process `h` with one script."""
    return handler("h", event, script("ha", code), end("he"), edges("h_s > ha > he"), interrupting=interrupting)


def test_an_interrupting_one_takes_the_place_of_its_scope_and_sees_what_it_has_come_to() -> None:
    source = model(start(), user("a"), user("b"), user("c"), end(), edges("s > a > b > c > e"),
                   body("seen = x", message()), beside=BESIDE)  # fmt: skip
    run = Run(source, {"x": 0}, code={"a": "x = 1", "b": "x = 2"})
    run.reload().do("a")
    run.reload().do("b")
    run.reload().go(lambda: run.advancing.correlate("m", {}))
    assert (run.instance.status, run.done()) == (Status.COMPLETED, ["a", "b", "ha"])
    assert run.variables == {"x": 2, "seen": 2}
    assert run.instance.work_items == {}
    assert run.instance.workflow.event_manager.tasks == {}


def test_what_interrupted_branches_did_is_lost_and_readable() -> None:
    source = model(start(), user("a"), gateway("g"), user("b"), user("c"), gateway("j"), end(),
                   edges("s > a > g > b > j > e", "g > c > j"), body("seen = x", message()), beside=BESIDE)  # fmt: skip
    run = Run(source, {"x": 0}, code={"a": "x = 1", "b": "x = 7"})
    run.do("a")
    run.do("b")
    run.reload().go(lambda: run.advancing.correlate("m", {}))
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": 1, "seen": 1})
    (interrupted,) = run.events(EventType.INTERRUPTED)
    graph = run.instance.graph
    values = {graph.values.get(graph.contents(lost).item("WORKING/x").value) for lost in interrupted.data["lost"]}  # type: ignore[union-attr]
    assert 7 in values
    ancestors = [graph.contents(commit.id).item("WORKING/x") for commit in graph.log(run.head)]
    assert 7 not in [graph.values.get(item.value) for item in ancestors if item is not None]


def test_one_that_does_not_interrupt_runs_beside_its_scope_each_time_and_is_merged_at_its_end() -> None:
    source = model(start(), user("a"), end(), edges("s > a > e"),
                   body("seen = k", message(), interrupting=False), beside=BESIDE)  # fmt: skip
    run = Run(source, {"x": 0}, code={"a": "x = 1"})
    for number in (1, 2):
        run.reload().go(lambda number=number: run.advancing.correlate("m", {"k": number}))  # type: ignore[misc]
    assert run.done() == ["ha", "ha"]
    run.reload().do("a")
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": 1, "k": 2, "seen": 2})
    assert [len(each.data["branches"]) for each in run.events(EventType.D2)] == [1, 1]
    assert len(run.events(EventType.D3)) == 1


def test_the_scope_waits_for_one_that_has_begun() -> None:
    inner = handler("h", message(), user("hu"), end("he"), edges("h_s > hu > he"), interrupting=False)
    source = model(start(), user("a"), end(), edges("s > a > e"), inner, beside=BESIDE)
    run = Run(source)
    run.go(lambda: run.advancing.correlate("m", {}))
    run.do("a")
    assert run.reload().open_items() == ["hu"]
    assert run.do("hu") is Status.COMPLETED


def raising(work: Work) -> Outcome:
    raise BpmnErrorRaised("E1", "no", {"why": "torn"})


@pytest.mark.parametrize("thrower", ["service", "end event"])
def test_an_error_reaches_the_event_sub_process_around_it(thrower: str) -> None:
    work = service("a") if thrower == "service" else script("a", "pass")
    ending = end("e2") if thrower == "service" else end("e2", error())
    inner = sub("sp", start("s2"), work, ending, edges("s2 > a > e2"), body("pass", error()))
    source = model(start(), inner, script("z", "pass"), end(), edges("s > sp > z > e"), beside=BESIDE)
    run = Run(source, handlers={"a": raising} if thrower == "service" else {})
    assert run.status is Status.COMPLETED
    assert run.done()[-2:] == ["ha", "z"]
    assert run.variables == ({"why": "torn"} if thrower == "service" else {})


@pytest.mark.parametrize("interrupting", [True, False])
def test_an_escalation_reaches_the_event_sub_process_around_it(interrupting: bool) -> None:
    inner = sub("sp", start("s2"), throw("t", escalation()), script("a", "pass"), end("e2"), edges("s2 > t > a > e2"),
                body("pass", escalation(), interrupting=interrupting))  # fmt: skip
    source = model(start(), inner, end(), edges("s > sp > e"), beside=BESIDE)
    run = Run(source)
    assert run.status is Status.COMPLETED
    assert sorted(run.done()) == (["ha"] if interrupting else ["a", "ha"])


def test_a_signal_reaches_it() -> None:
    inner = sub("sp", start("s2"), throw("t", signal()), script("a", "pass"), end("e2"), edges("s2 > t > a > e2"),
                body("pass", signal()))  # fmt: skip
    assert Run(model(start(), inner, end(), edges("s > sp > e"), beside=BESIDE)).done() == ["ha"]


@pytest.mark.parametrize(("interrupting", "done"), [(True, ["a", "ha"]), (False, ["a", "b", "ha"])])
def test_a_condition_reaches_it(interrupting: bool, done: list[str]) -> None:
    inner = sub("sp", start("s2"), script("a", "x = 1"), script("b", "pass"), end("e2"), edges("s2 > a > b > e2"),
                body("pass", condition("x == 1"), interrupting=interrupting))  # fmt: skip
    run = Run(model(start(), inner, end(), edges("s > sp > e")), {"x": 0})
    assert sorted(run.done()) == done
    assert run.status is Status.COMPLETED


def test_a_condition_that_holds_from_the_beginning_interrupts_before_the_first_step() -> None:
    inner = sub("sp", start("s2"), script("a", "pass"), end("e2"), edges("s2 > a > e2"),
                body("pass", condition("x == 1")))  # fmt: skip
    assert Run(model(start(), inner, end(), edges("s > sp > e")), {"x": 1}).done() == ["ha"]


def test_a_cycle_ticks_as_long_as_the_scope_is_open() -> None:
    inner = sub("sp", start("s2"), user("a"), end("e2"), edges("s2 > a > e2"),
                body("n = n + 1", timer("R3/PT10M", "timeCycle"), interrupting=False))  # fmt: skip
    run = Run(model(start(), inner, end(), edges("s > sp > e")), {"n": 0})
    for minutes in (10, 20, 30, 40, 50):
        run.reload().clock.move_to(BEGIN + timedelta(minutes=minutes))
        run.go()
    assert run.done() == ["ha"] * 3
    assert run.do("a") is Status.COMPLETED


def test_a_timer_interrupts_its_scope_alone() -> None:
    inner = sub("sp", start("s2"), user("a"), end("e2"), edges("s2 > a > e2"), body("late = True", timer("PT1H")))
    flows = edges("s > g > sp > j > e", "g > b > j")
    source = model(start(), gateway("g"), inner, user("b"), gateway("j"), end(), flows)
    run = Run(source)
    run.clock.move_to(BEGIN + timedelta(hours=1))
    run.reload().go()
    assert run.open_items() == ["b"]
    run.do("b")
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"late": True})


def failing(work: Work) -> Outcome:
    raise TimeoutError("too late")


@pytest.mark.parametrize(("code", "caught"), [("TimeoutError", True), ("OSError", True), ("KeyError", False)])
@pytest.mark.parametrize("where", ["boundary", "around"])
def test_an_exception_is_the_error_whose_code_is_its_class(code: str, caught: bool, where: str) -> None:
    errors = f'<error id="err" errorCode="{code}"/>'
    flows = edges("s > a > e", "b > h1 > e2")
    host = boundary("b", "a", error()) + script("h1", "pass") + end("e2") if where == "boundary" else ""
    around = body("pass", error()) if where == "around" else ""
    source = model(start(), service("a"), host, end(), flows if host else edges("s > a > e"), around, beside=errors)
    run = Run(source, handlers={"a": failing})
    assert run.status is (Status.COMPLETED if caught else Status.FAILED)
    assert run.done() == ((["h1"] if host else ["ha"]) if caught else [])


def test_a_script_that_fails_is_such_an_exception_and_what_catches_all_is_not_for_it() -> None:
    def drawn(inside: str) -> bytes:
        return model(
            start(), script("a", "x = y"), boundary("b", "a", inside), script("h", "pass"), end(), end("e2"),
            edges("s > a > e", "b > h > e2"), beside='<error id="err" errorCode="MissingVariable"/>',
        )  # fmt: skip

    assert Run(drawn(error())).done() == ["h"]
    assert Run(drawn("<errorEventDefinition/>")).status is Status.FAILED
