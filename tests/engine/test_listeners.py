"""Listeners of every dialect are run at their moment, by scripts and handlers, or refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from bpmn.findings import Finding
from bpmn.load import load
from engine.activities.work import Outcome, Work
from engine.status import Status
from tests.engine.models import (
    boundary,
    edges,
    end,
    error,
    gateway,
    handler,
    instances,
    script,
    start,
    sub,
    throw,
    timer,
    user,
)
from tests.engine.running import Run

SPACES = (
    'xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" xmlns:camunda="http://camunda.org/schema/1.0/bpmn"'
    ' xmlns:flowable="http://flowable.org/bpmn" xmlns:activiti="http://activiti.org/bpmn"'
    ' xmlns:operaton="http://operaton.org/schema/1.0/bpmn"'
    ' xmlns:spiffworkflow="http://spiffworkflow.org/bpmn/schema/1.0/core"'
)


def _source(*content: str, beside: str = "") -> bytes:
    return (
        f'<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" {SPACES}>'
        f'<process id="p" isExecutable="true">{"".join(content)}</process>{beside}</definitions>'
    ).encode()


def _ext(*parts: str) -> str:
    return f"<extensionElements>{''.join(parts)}</extensionElements>"


def _errors(source: bytes) -> tuple[Finding, ...]:
    return load(source, file="a.bpmn").errors


def _script(event: str, code: str, kind: str = "executionListener", space: str = "camunda") -> str:
    inside = f'<{space}:script scriptFormat="python">{code}</{space}:script>'
    return f'<{space}:{kind} event="{event}">{inside}</{space}:{kind}>'


def _log(text: str) -> str:
    return f'log = log + ["{text}"]'


def _run(*content: str, beside: str = "", **kw: Any) -> Run:
    return Run(_source(*content, beside=beside), {"log": []}, process="p", **kw)


def _around(name: str) -> str:
    return _ext(_script("start", _log(f"{name}+")), _script("end", _log(f"{name}-")))


def test_a_tasks_own_moments_lie_inside_those_of_its_execution() -> None:
    inside = _ext(
        _script("end", _log("end")),
        _script("complete", _log("complete"), "taskListener"),
        _script("create", _log("create"), "taskListener"),
        _script("start", _log("start")),
    )
    run = _run(start(), user("a", inside), end(), edges("s > a > e"), code={"a": _log("a")})
    assert run.variables["log"] == ["start", "create"]
    run.do("a")
    assert (run.status, run.variables["log"]) == (Status.COMPLETED, ["start", "create", "a", "complete", "end"])


@pytest.mark.parametrize("space", ["camunda", "operaton", "flowable", "activiti"])
def test_a_handler_by_class_delegate_or_call(space: str) -> None:
    seen: list[tuple[str, Any]] = []

    def do(work: Work) -> Outcome:
        seen.append((work.element.job_type or "", work.variables.get("greeting")))
        return Outcome(outputs={"told": len(seen)})

    inside = _ext(
        f'<{space}:executionListener event="start" class="com.acme.Audit">'
        f'<{space}:field name="greeting"><{space}:string>hello</{space}:string></{space}:field>'
        f"</{space}:executionListener>",
        f'<{space}:executionListener event="start" delegateExpression="${{audit}}"/>',
        f'<{space}:taskListener event="complete" expression="${{audit.done(task)}}"/>',
    )
    handlers = {"a_start": do, "a_start_2": do, "a_complete": do}
    run = Run(_source(start(), user("a", inside), end(), edges("s > a > e")), handlers=handlers)
    run.do("a")
    assert seen == [("com.acme.Audit", "hello"), ("audit", None), ("audit.done", None)]
    assert run.variables == {"told": 3}


def test_jobs_of_camunda_8() -> None:
    seen: list[str] = []

    def do(work: Work) -> Outcome:
        seen.append(f"{work.element.job_type} {work.variables.get('x')}")
        return Outcome()

    inside = _ext(
        '<zeebe:taskDefinition type="job"/>',
        '<zeebe:ioMapping><zeebe:input source="=1 + 1" target="x"/></zeebe:ioMapping>',
        '<zeebe:executionListeners><zeebe:executionListener eventType="end" type="after"/>'
        '<zeebe:executionListener eventType="start" type="before"/></zeebe:executionListeners>',
    )
    task = f'<serviceTask id="a">{inside}</serviceTask>'
    handlers = {"a": do, "a_start": do, "a_end": do}
    assert Run(_source(start(), task, end(), edges("s > a > e")), handlers=handlers).status is Status.COMPLETED
    assert seen == ["before 2", "job 2", "after 2"]


def test_scripts_before_and_after_of_spiffarena() -> None:
    inside = _ext(
        "<spiffworkflow:preScript>\n  x = 1\n  y = x + n</spiffworkflow:preScript>",
        "<spiffworkflow:postScript>z = y * 2</spiffworkflow:postScript>",
    )
    run = Run(_source(start(), user("a", inside), end(), edges("s > a > e")), {"n": 2}, code={"a": "y = y + 1"})
    run.do("a")
    assert run.variables == {"n": 2, "x": 1, "y": 4, "z": 8}


def test_empty_scripts_that_the_designer_leaves_are_none() -> None:
    inside = _ext("<spiffworkflow:preScript/>", "<spiffworkflow:postScript>  </spiffworkflow:postScript>")
    run = _run(start(), user("a", inside), end(), edges("s > a > e")).do_all()
    assert run.done() == ["a"]


def test_a_script_in_flowables_fields_and_a_variable_set_in_an_expression() -> None:
    inside = _ext(
        '<flowable:executionListener event="start" type="script"><flowable:field name="script"><flowable:string>x = 1'
        '</flowable:string></flowable:field><flowable:field name="language"><flowable:string>python</flowable:string>'
        "</flowable:field></flowable:executionListener>",
        """<camunda:executionListener event="end" expression="${execution.setVariable('y', x + 1)}"/>""",
    )
    run = Run(_source(start(), f'<task id="a">{inside}</task>', end(), edges("s > a > e")))
    assert run.variables == {"x": 1, "y": 2}


def test_instances_each_have_their_own() -> None:
    inside = _ext(_script("start", "o = it * 10"), _script("end", "o = o + 1"))
    task = script("a", "o = o + 100", inside + instances(collection="l", output="r"))
    run = Run(_source(start(), task, end(), edges("s > a > e")), {"l": [1, 2]})
    assert run.variables == {"l": [1, 2], "r": [111, 121]}


def test_an_error_in_a_listener_goes_to_the_activitys_boundary_and_a_timer_stops_it() -> None:
    inside = _ext(_script("start", "x = missing"))
    caught = boundary("b", "a", error())
    run = _run(start(), f'<task id="a">{inside}</task>', caught, script("h", _log("caught")), end(), end("e2"),
               edges("s > a > e", "b > h > e2"), beside='<error id="err" errorCode="MissingVariable"/>')  # fmt: skip
    assert (run.status, run.variables["log"]) == (Status.COMPLETED, ["caught"])
    late = _run(start(), user("a", _around("a")), boundary("b", "a", timer("PT1H")), end(), end("e2"),
                edges("s > a > e", "b > e2"))  # fmt: skip
    late.do("a")
    assert (late.status, late.variables["log"]) == (Status.COMPLETED, ["a+", "a-"])


def test_what_is_undone_is_the_activity_with_its_listeners() -> None:
    undo = '<boundaryEvent id="c" attachedToRef="a"><compensateEventDefinition/></boundaryEvent>'
    undoing = script("u", _log("undo"), _around("u")).replace("<scriptTask", '<scriptTask isForCompensation="true"')
    link = '<association id="as" sourceRef="c" targetRef="u" associationDirection="One"/>'
    run = _run(start(), script("a", _log("a"), _around("a")), undo, undoing, link,
               throw("t", '<compensateEventDefinition activityRef="a"/>'), end(), edges("s > a > t > e"))  # fmt: skip
    assert run.status is Status.COMPLETED
    assert run.variables["log"] == ["a+", "a", "a-", "u+", "undo", "u-"]


def test_of_sub_processes_events_flows_and_the_process() -> None:
    process = _ext(_script("start", _log("p+")), _script("end", _log("p-")))
    inner = sub("x", start("xs", _around("xs")), script("a", _log("a")), end("xe", _around("xe")),
                edges("xs > a > xe"), inside=_around("x"))  # fmt: skip
    taken = _ext(_script("take", _log("take")))
    taken = f'<sequenceFlow id="t" sourceRef="x" targetRef="e">{taken}</sequenceFlow>'
    run = _run(process, start(), inner, end(), edges("s > x"), taken)
    assert run.variables["log"] == ["p+", "x+", "xs+", "xs-", "a", "xe+", "xe-", "x-", "take", "p-"]


def test_of_gateways_once_for_each_time_they_go_on() -> None:
    split = gateway("g").replace("/>", f">{_ext(_script('end', 'n = n + 1'))}</parallelGateway>")
    join = gateway("j").replace("/>", f">{_ext(_script('start', 'm = m + 1'))}</parallelGateway>")
    choice = gateway("x", "exclusive", default="no").replace(
        "/>", f">{_ext(_script('start', 'q = n'), _script('end', 'n = 50'))}</exclusiveGateway>"
    )
    source = _source(start(), split, script("a", "v = 1"), script("b", "w = 1"), join, choice, end(), end("e2"),
                     edges("s > g > a > j > x -n == 2-> e", "g > b > j", "x =no=> e2"))  # fmt: skip
    run = Run(source, {"n": 1, "m": 0})
    assert run.variables == {"n": 50, "m": 1, "q": 2, "v": 1, "w": 1}


def test_of_a_receive_task_that_an_event_based_gateway_leads_to() -> None:
    task = f'<receiveTask id="r" messageRef="m">{_ext(_script("end", _log("r-")))}</receiveTask>'
    source = _source(start(), gateway("g", "eventBased"), task,
                     f'<intermediateCatchEvent id="t">{timer("PT1H")}</intermediateCatchEvent>', end(), end("e2"),
                     edges("s > g > r > e", "g > t > e2"), beside='<message id="m" name="m"/>')  # fmt: skip
    found = load(source, file="a.bpmn")
    assert not found.errors
    assert "r_end" in found.definition.processes["p"].scope.elements


@pytest.mark.parametrize(
    ("element", "found"),
    [
        (user("a", _ext('<camunda:taskListener event="delete" class="com.acme.Gone"/>')), "com.acme.Gone"),
        (user("a", _ext('<camunda:taskListener event="assignment" class="X"/>')), "X"),
        (
            user("a", _ext('<camunda:executionListener event="start"><camunda:script resource="deployment://a.py"/>'
                           "</camunda:executionListener>")),
            "start, a script without text",
        ),
        (user("a", _ext('<zeebe:taskListeners><zeebe:taskListener eventType="canceling" type="z"/>'
                        "</zeebe:taskListeners>")), "z"),
    ],
)  # fmt: skip
def test_what_is_run_at_no_moment_is_refused_by_name_and_passed_over_in_a_simulation(element: str, found: str) -> None:
    source = _source(start(), element, end(), edges("s > a > e"))
    problem = next(each for each in load(source, file="a.bpmn").errors if each.rule == "listener")
    assert (problem.element, problem.found) == ("a", found)
    simulated = load(source, file="a.bpmn", simulate=True)
    assert not simulated.errors
    assert any("the listener on" in each.message for each in simulated.findings)


PROCESS = _ext(_script("start", _log("p+")), _script("end", _log("p-")))
TERMINATE = "<terminateEventDefinition/>"


@pytest.mark.parametrize(
    ("content", "order", "log"),
    [
        ((gateway("g"), user("a"), user("b"), end(), end("e2"), edges("s > g > a > e", "g > b > e2")), "ab", ""),
        ((gateway("g"), user("a"), user("b"), gateway("j"), end(), edges("s > g > a > j > e", "g > b > j")), "ba", ""),
        ((gateway("g"), user("a"), user("b"), end("e", TERMINATE), end("e2"), edges("s > g > a > e", "g > b > e2")),
         "a", ""),
        ((user("a"), boundary("t", "a", timer("PT0S"), interrupting=False), user("b"), end(),
          edges("s > a > e", "t > b")), "ab", ""),
        ((user("a"), end(), edges("s > a > e"), handler("h", timer("PT0S"), script("x", _log("x")), edges("h_s > x"))),
         "", "x"),
    ],
)  # fmt: skip
def test_the_end_of_a_process_is_that_of_its_last_token(content: tuple[str, ...], order: str, log: str) -> None:
    run = _run(PROCESS, start(), *content).do_all(order)
    assert run.instance.status is Status.COMPLETED
    assert run.variables["log"] == ["p+", *log, "p-"]


def test_an_error_that_nothing_catches_is_no_end() -> None:
    content = (gateway("g"), user("a"), end("e", '<errorEventDefinition errorRef="x"/>'), edges("s > g > a", "g > e"))
    run = _run(PROCESS, start(), *content, beside='<error id="x" errorCode="X"/>').do_all()
    assert (run.status, run.variables["log"]) == (Status.FAILED, ["p+"])


def test_of_a_process_that_begins_in_several_ways_the_last_end_is_not_known() -> None:
    process = _ext(_script("end", "pass"))
    waiting = '<startEvent id="w"><messageEventDefinition messageRef="m"/></startEvent>'
    source = _source(process, start(), waiting, gateway("g"), end(), end("e2"), edges("s > g > e", "w > g", "g > e2"),
                     beside='<message id="m" name="m"/>')  # fmt: skip
    assert [(each.rule, each.element) for each in _errors(source)] == [("listener", "p")]


def test_a_script_in_another_language_is_refused_with_the_ways_out() -> None:
    inside = _ext(_script("start", "x = 1").replace("python", "groovy"))
    problem = next(iter(_errors(_source(start(), f'<task id="a">{inside}</task>', end(), edges("s > a > e")))))
    assert (problem.rule, problem.element) == ("script", "a_start")


def test_every_listener_is_in_the_notes_and_none_is_a_warning() -> None:
    inside = _ext(_script("start", "x = 1"))
    found = load(_source(start(), f'<task id="a">{inside}</task>', end(), edges("s > a > e")), file="a.bpmn")
    assert [str(each.message) for each in found.notes if each.rewrite == "listener"] == [
        "the listener on start is run as a_start"
    ]
    assert not [each for each in found.findings if "listener" in each.message]


def test_saved_and_loaded_between_listeners() -> None:
    inside = _ext(_script("create", _log("create"), "taskListener"), _script("complete", _log("done"), "taskListener"))
    source = _source(start(), user("a", inside), boundary("b", "a", error()), end(), end("e2"),
                     edges("s > a > e", "b > e2"), beside='<error id="err" errorCode="E"/>')  # fmt: skip
    run = Run(source, {"log": []}, code={"a": _log("a")})
    run.reload().do("a")
    assert (run.status, run.variables["log"]) == (Status.COMPLETED, ["create", "a", "done"])


def test_a_service_task_that_is_an_expression_is_computed() -> None:
    task = '<serviceTask id="a" camunda:expression="${n + 1}" camunda:resultVariable="m"/>'
    setting = """<serviceTask id="b" camunda:expression="#{execution.setVariable('x', m * 2)}"/>"""
    run = Run(_source(start(), task, setting, end(), edges("s > a > b > e")), {"n": 1})
    assert run.variables == {"n": 1, "m": 2, "x": 4}


def test_one_that_calls_is_a_job() -> None:
    task = '<serviceTask id="a" camunda:expression="${bean.total(n)}" camunda:resultVariable="m"/>'
    found = load(_source(start(), task, end(), edges("s > a > e")), file="a.bpmn")
    element = found.definition.processes["p"].scope.elements["a"]
    assert (element.kind, element.job_type) == ("serviceTask", "bean.total")


def test_a_connector_is_a_job_with_its_own_mappings() -> None:
    connector = _ext(
        '<camunda:connector><camunda:inputOutput><camunda:inputParameter name="url">http://x</camunda:inputParameter>'
        '<camunda:outputParameter name="r">${response}</camunda:outputParameter></camunda:inputOutput>'
        "<camunda:connectorId>http-connector</camunda:connectorId></camunda:connector>"
    )

    def do(work: Work) -> Outcome:
        assert (work.element.job_type, work.variables["url"]) == ("http-connector", "http://x")
        return Outcome(outputs={"response": 1, "statusCode": 200})

    run = Run(_source(start(), f'<serviceTask id="a">{connector}</serviceTask>', end(), edges("s > a > e")),
              handlers={"a": do})  # fmt: skip
    assert run.variables == {"r": 1}
