"""Sub-processes, called processes, boundary events, errors and timers."""

from __future__ import annotations

from datetime import timedelta

import pytest

from engine.activities.work import BpmnErrorRaised, Outcome, Work
from engine.events import EventType
from engine.status import Status
from tests.bpmn.files import document, policy
from tests.engine.models import (
    MESSAGE,
    boundary,
    edges,
    end,
    gateway,
    message,
    model,
    script,
    service,
    start,
    sub,
    timer,
    user,
)
from tests.engine.running import BEGIN, Plain, Run


def test_a_sub_process_works_on_its_callers_variables() -> None:
    inner = sub("sp", start("s2"), script("a", "x = x + 1"), end("e2"), edges("s2 > a > e2"))
    source = model(start(), gateway("g"), inner, script("b", "y = 1"), gateway("j"), end(),
                   edges("s > g > sp > j > e", "g > b > j"))  # fmt: skip
    assert Run(source, {"x": 0, "y": 0}).variables == {"x": 1, "y": 1}


CALLED = (
    '<process id="q" isExecutable="true"><ioSpecification><dataInput id="di" name="x"/><dataOutput id="do" name="r"/>'
    "<inputSet><dataInputRefs>di</dataInputRefs></inputSet><outputSet><dataOutputRefs>do</dataOutputRefs></outputSet>"
    f"</ioSpecification>{start('qs')}{script('a', 'x = x + 1; r = x; secret = 1')}{end('qe')}"
    f"{edges('qs > a > qe')}</process>"
)


def test_a_called_process_gives_back_its_declared_outputs_only() -> None:
    source = model(
        start(), '<callActivity id="c" calledElement="q"/>', user("b"), gateway("g"), gateway("j"), end(),
        edges("s > g > c > j > e", "g > b > j"), beside=CALLED,
    )  # fmt: skip
    run = Run(source, {"x": 7, "y": 0}, code={"b": "x = 2"}, process="p").do_all()
    assert run.variables == {"x": 2, "y": 0, "r": 8}
    assert not run.events(EventType.D3)[0].data.get("conflicts")
    spaces = list(run.instance.graph.contents(run.head).spaces)
    assert not [space for space in spaces if space.startswith("WORKING:")]
    assert "a" in run.done()


def test_a_missing_input_of_a_called_process_is_an_incident() -> None:
    source = model(start(), '<callActivity id="c" calledElement="q"/>', end(), edges("s > c > e"), beside=CALLED)
    run = Run(source, {}, process="p")
    assert run.status is Status.FAILED
    assert "needs the input x" in (run.instance.reason or "")


INTERRUPTED = (
    start(),
    sub("sp", start("s2"), user("a1"), user("a2"), end("e2"), edges("s2 > a1 > a2 > e2")),
    boundary("be", "sp", message()), user("h"), gateway("x", "exclusive"), end(),
    edges("s > sp > x > e", "be > h > x"),
)  # fmt: skip


def send(run: Run, name: str = "m") -> None:
    run.go(lambda: run.advancing.correlate(name, {}))


def test_an_interrupting_event_drops_what_the_activity_did_but_keeps_it_readable() -> None:
    run = Run(model(*INTERRUPTED, beside=MESSAGE), {"x": 0}, code={"a1": "x = 1", "h": "z = x"})
    run.do("a1")
    send(run)
    assert run.open_items() == ["h"]
    run.do("h")
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": 0, "z": 0})
    (interrupted,) = run.events(EventType.INTERRUPTED)
    (lost,) = interrupted.data["lost"]
    assert run.instance.graph.values.get(run.instance.graph.contents(lost).item("WORKING/x").value) == 1  # type: ignore[union-attr]
    assert list(run.instance.workflow.subprocesses) == []
    assert run.instance.workflow.event_manager.tasks == {}


def test_a_non_interrupting_event_is_a_branch_from_the_activitys_beginning() -> None:
    source = model(
        start(), sub("sp", start("s2"), user("a1"), end("e2"), edges("s2 > a1 > e2")),
        boundary("be", "sp", message(), interrupting=False), user("h"), gateway("j", "inclusive"), end(),
        edges("s > sp > j > e", "be > h > j"), beside=MESSAGE,
    )  # fmt: skip
    run = Run(source, {"x": 0}, code={"a1": "x = 1", "h": "z = x"})
    send(run)
    run.do("h")
    run.do("a1")
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": 1, "z": 0})


def raising(code: str) -> object:
    def fail(work: Work) -> Outcome:
        raise BpmnErrorRaised(code, "no")

    return fail


ERRORS = '<error id="err" name="err" errorCode="E1"/>'
CATCH = '<errorEventDefinition errorRef="err"/>'


def test_an_error_goes_to_the_boundary_event_of_its_own_activity() -> None:
    source = model(
        start(), gateway("g"), service("a"), boundary("ba", "a", CATCH), script("ha", "caught = 'a'"),
        user("b"), boundary("bb", "b", CATCH), script("hb", "caught = 'b'"), gateway("j", "inclusive"), end(),
        edges("s > g > a > j > e", "g > b > j", "ba > ha > j", "bb > hb > j"), beside=ERRORS,
    )  # fmt: skip
    run = Run(source, handlers={"a": raising("E1")})  # type: ignore[dict-item]
    assert run.open_items() == ["b"]
    run.do("b")
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"caught": "a"})


def test_an_error_brings_its_variables_to_the_boundary_event() -> None:
    def fail(work: Work) -> Outcome:
        raise BpmnErrorRaised("E1", "no", {"why": "torn page"})

    source = model(start(), service("a"), boundary("b", "a", CATCH), script("h", "seen = why"), end(), end("e2"),
                   edges("s > a > e", "b > h > e2"), beside=ERRORS)  # fmt: skip
    run = Run(source, handlers={"a": fail})
    assert (run.status, run.variables) == (Status.COMPLETED, {"why": "torn page", "seen": "torn page"})


def test_an_error_from_inside_reaches_the_sub_process_around() -> None:
    inner = sub("sp", start("s2"), service("a"), end("e2"), edges("s2 > a > e2"))
    source = model(start(), inner, boundary("b", "sp", CATCH), script("h", "caught = 1"), end(), end("e3"),
                   edges("s > sp > e", "b > h > e3"), beside=ERRORS)  # fmt: skip
    run = Run(source, handlers={"a": raising("E1")})  # type: ignore[dict-item]
    assert (run.status, run.variables) == (Status.COMPLETED, {"caught": 1})


def test_an_uncaught_error_is_an_incident_that_can_be_retried_and_hurts_no_sibling() -> None:
    source = model(start(), gateway("g"), service("a"), user("b"), gateway("j"), end(),
                   edges("s > g > a > j > e", "g > b > j"))  # fmt: skip
    run = Run(source, handlers={"a": raising("E9")}, code={"b": "y = 1"})  # type: ignore[dict-item]
    assert (run.status, run.open_items()) == (Status.WAITING, ["b"])
    run.do("b")
    assert run.instance.status is Status.FAILED
    assert "E9" in (run.instance.reason or "")
    run.handlers["a"] = lambda work: Outcome(outputs={"x": 1})
    run.reload()
    (task,) = run.instance.incidents
    run.retry(task)
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": 1, "y": 1})


def test_timers_follow_the_injected_clock() -> None:
    source = model(
        start(), user("a"), boundary("t", "a", timer("PT1H")), script("late", "late = True"), end(), end("e2"),
        edges("s > a > e", "t > late > e2"),
    )  # fmt: skip
    run = Run(source)
    run.clock.move_to(BEGIN + timedelta(minutes=59))
    assert run.go() is Status.WAITING
    run.reload()
    run.clock.move_to(BEGIN + timedelta(minutes=60))
    assert run.go() is Status.COMPLETED
    assert run.variables == {"late": True}
    assert run.instance.work_items == {}


def test_a_cycle_ticks_and_ends() -> None:
    source = model(
        start(), user("a"), boundary("t", "a", timer("R3/PT10M", "timeCycle"), interrupting=False),
        script("tick", "n = n + 1"), end(), end("e2"), edges("s > a > e", "t > tick > e2"),
    )  # fmt: skip
    run = Run(source, {"n": 0})
    for minutes in (10, 20, 30, 40, 50):
        run.clock.move_to(BEGIN + timedelta(minutes=minutes))
        run.go()
    assert run.done().count("tick") == 3
    run.do("a")
    assert run.instance.status is Status.COMPLETED


@pytest.mark.parametrize("text", ["0 0/10 * * * ?", "${often}", "=often"])
def test_cron_ticks_and_makes_up_for_nothing(text: str) -> None:
    source = model(
        start(), user("a"), boundary("t", "a", timer(text, "timeCycle"), interrupting=False),
        script("tick", "pass"), end(), end("e2"), edges("s > a > e", "t > tick > e2"),
    )  # fmt: skip
    run = Run(source, {"often": "0 0/10 * * * *"})
    for minutes, ticks in ((9, 0), (10, 1), (19, 1), (45, 2), (50, 3)):
        run.clock.move_to(BEGIN + timedelta(minutes=minutes))
        run.go()
        assert run.done().count("tick") == ticks
        run = run.reload()
    run.do("a")
    assert run.instance.status is Status.COMPLETED


def test_plain_needs_a_python_expression_where_the_file_says_a_duration() -> None:
    flows = edges("s > a > e", "t > e2")
    source = model(start(), user("a"), boundary("t", "a", timer("PT1H")), end(), end("e2"), flows)
    with pytest.raises(Exception, match="PT1H"):
        Plain(source)


def test_a_terminate_end_event_ends_everything() -> None:
    source = model(
        start(), gateway("g"), user("a"), user("b"), end("e", "<terminateEventDefinition/>"), end("e2"),
        edges("s > g > a > e", "g > b > e2"),
    )  # fmt: skip
    run = Run(source, code={"a": "x = 1"})
    run.do("a")
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": 1})


MANY = start("qs") + gateway("qg") + user("qu") + user("qv") + end("qt", "<terminateEventDefinition/>")
MANY_FLOWS = edges("qs > qg > qu", "qg > qv", "qg > qt")


@pytest.mark.parametrize(
    ("activity", "beside"),
    [
        ('<callActivity id="c" calledElement="q"/>', f'<process id="q">{MANY}{MANY_FLOWS}</process>'),
        (sub("c", MANY, MANY_FLOWS, inside=policy(
            '<zeebe:ioMapping><zeebe:output source="=1" target="o"/></zeebe:ioMapping>')), ""),
    ],
)  # fmt: skip
def test_a_scope_that_is_terminated_ends_once(activity: str, beside: str) -> None:
    run = Run(model(start(), activity, end(), edges("s > c > e"), beside=beside), process="p")
    assert (run.status, run.done(), run.open_items()) == (Status.COMPLETED, ["c"], [])


def test_elements_may_be_called_as_the_interpreter_calls_its_own() -> None:
    source = document(
        f'<process id="p" isExecutable="true">{start("Start")}{script("End", "x = 1")}{end("Root")}'
        f"{edges('Start > End > Root')}</process>"
    )
    run = Run(source)
    assert (run.status, run.variables, run.done()) == (Status.COMPLETED, {"x": 1}, ["End"])


def test_an_output_that_a_called_process_does_not_give_is_an_incident_and_calls_again_on_retry() -> None:
    called = CALLED.replace("x = x + 1; r = x; secret = 1", "x = x + 1")
    source = model(
        start(), user("u"), '<callActivity id="c" calledElement="q"/>', end(), edges("s > u > c > e"), beside=called
    )  # fmt: skip
    run = Run(source, {"x": 7}, process="p")
    run.do("u")
    assert (run.instance.status, [each.kind for each in run.instance.incidents.values()]) == (
        Status.FAILED, ["MissingOutput"],
    )  # fmt: skip
    run.reload()
    (task,) = run.instance.incidents
    run.retry(task)
    assert "ended without its output r" in (run.instance.reason or "")
    assert run.done().count("a") == 2


def _calling_itself(until: str) -> bytes:
    """A process that counts, and calls itself until a condition holds."""
    return model(
        start(), script("a", "n = n + 1"), gateway("g", "exclusive"),
        '<callActivity id="c" calledElement="p"/>', end(),
        edges("s > a > g", "c > e"),
        f'<sequenceFlow id="out" sourceRef="g" targetRef="e"><conditionExpression>{until}</conditionExpression>'
        '</sequenceFlow><sequenceFlow id="again" sourceRef="g" targetRef="c"/>',
    )  # fmt: skip


def test_a_process_may_call_itself_but_not_without_an_end() -> None:
    assert Run(_calling_itself("n == 50"), {"n": 0}).status is Status.COMPLETED
    endless = Run(_calling_itself("n == 0"), {"n": 0})
    assert endless.status is Status.FAILED
    assert "more than 100 processes" in str(endless.instance.reason)


def test_what_an_event_sub_process_throws_is_for_what_is_around_its_scope() -> None:
    escalation = '<escalationEventDefinition escalationRef="x"/>'
    listening = (
        f'<subProcess id="l" triggeredByEvent="true"><startEvent id="ls" isInterrupting="false">{escalation}'
        f'</startEvent>{script("again", "a = 1")}<endEvent id="le">{escalation}</endEvent>{edges("ls > again > le")}'
        "</subProcess>"
    )
    inner = sub("sp", start("s2"), f'<intermediateThrowEvent id="t">{escalation}</intermediateThrowEvent>', end("e2"),
                edges("s2 > t > e2"), listening)  # fmt: skip
    caught = f'<boundaryEvent id="b" attachedToRef="sp" cancelActivity="false">{escalation}</boundaryEvent>'
    source = model(
        start(), inner, caught, script("told", "b = 1"), end(), end("e3"), edges("s > sp > e", "b > told > e3"),
        beside='<escalation id="x" escalationCode="X"/>',
    )  # fmt: skip
    run = Run(source)
    assert run.status is Status.COMPLETED
    assert run.done().count("again") == run.done().count("told") == 1


def test_an_endless_timer_whose_start_is_long_past_goes_on_from_now() -> None:
    cycle = "<timerEventDefinition><timeCycle>R/1970-01-01T00:00:30Z/PT1M</timeCycle></timerEventDefinition>"
    event = f'<boundaryEvent id="b" attachedToRef="u" cancelActivity="false">{cycle}</boundaryEvent>'
    source = model(start(), user("u"), event, script("tick", "t = 1"), end(), end("e2"),
                   edges("s > u > e", "b > tick > e2"))  # fmt: skip
    run = Run(source)
    assert run.done() == []
    run.clock.move_to(BEGIN + timedelta(seconds=31))
    run.go()
    assert run.done() == ["tick"]
