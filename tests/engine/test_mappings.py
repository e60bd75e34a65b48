"""Input and output mappings: what an activity sees, and what comes out of it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.activities.work import Outcome, Work
from engine.events import EventType
from engine.status import Status
from tests.engine.models import edges, end, start
from tests.engine.running import Run

SPACES = 'xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" xmlns:camunda="http://camunda.org/schema/1.0/bpmn"'


def _source(task: str, more: str = "") -> bytes:
    return (
        f'<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" {SPACES}>'
        f'<process id="p" isExecutable="true">{start()}{task}{end()}{edges("s > a > e")}</process>{more}</definitions>'
    ).encode()


def _task(mapping: str, kind: str = "serviceTask", inside: str = "", attributes: str = "") -> str:
    return (
        f'<{kind} id="a" {attributes}><extensionElements><zeebe:taskDefinition type="j"/>{mapping}'
        f"</extensionElements>{inside}</{kind}>"
    )


def _io(*parts: str) -> str:
    return f"<zeebe:ioMapping>{''.join(parts)}</zeebe:ioMapping>"


def _input(source: str, target: str) -> str:
    return f'<zeebe:input source="{source}" target="{target}"/>'


def _output(source: str, target: str) -> str:
    return f'<zeebe:output source="{source}" target="{target}"/>'


def _doing(seen: dict[str, Any], **outputs: Any) -> dict[str, Any]:
    def do(work: Work) -> Outcome:
        seen.update(work.variables)
        return Outcome(outputs=outputs)

    return {"a": do}


def test_a_handler_sees_its_inputs_and_only_mapped_outputs_come_out() -> None:
    seen: dict[str, Any] = {}
    mapping = _io(_input("=order.total * 2", "amount"), _output("=paid + amount", "order.paid"))
    source = _source(_task(mapping))
    run = Run(source, {"order": {"total": 4}, "other": 1}, handlers=_doing(seen, paid=1, secret=2))
    assert seen == {"amount": 8, "order": {"total": 4}, "other": 1}
    assert run.variables == {"order": {"total": 4, "paid": 9}, "other": 1}


def test_without_output_mappings_all_comes_out_but_what_is_local() -> None:
    seen: dict[str, Any] = {}
    run = Run(_source(_task(_io(_input("=1", "x")))), handlers=_doing(seen, x=5, y=6))
    assert run.variables == {"y": 6}


def test_one_variable_for_the_whole_result() -> None:
    task = _task("", attributes='camunda:resultVariable="r"')
    assert Run(_source(task), handlers=_doing({}, a=1, b=2)).variables == {"r": {"a": 1, "b": 2}}
    assert Run(_source(task), handlers=_doing({}, result=3)).variables == {"r": 3}


def test_a_script_works_on_its_inputs() -> None:
    task = (
        '<scriptTask id="a"><extensionElements><camunda:inputOutput><camunda:inputParameter name="x">${n + 1}'
        '</camunda:inputParameter><camunda:outputParameter name="z">${y}</camunda:outputParameter>'
        "</camunda:inputOutput></extensionElements><script>y = x * 2</script></scriptTask>"
    )
    assert Run(_source(task), {"n": 1}).variables == {"n": 1, "z": 4}


@pytest.mark.parametrize(
    "task",
    [
        '<scriptTask id="a"><extensionElements><zeebe:script expression="=n + 1" resultVariable="m"/>'
        "</extensionElements></scriptTask>",
        '<scriptTask id="a" camunda:resultVariable="m"><script>n + 1</script></scriptTask>',
    ],
)
def test_a_script_whose_value_is_the_result(task: str) -> None:
    assert Run(_source(task), {"n": 1}).variables == {"n": 1, "m": 2}


def test_a_called_process_gets_and_gives_what_is_mapped() -> None:
    call = (
        '<callActivity id="a" calledElement="q"><extensionElements><camunda:in source="n" target="x"/>'
        '<camunda:in source="gone" target="y"/><camunda:out source="r" target="m"/>'
        "</extensionElements></callActivity>"
    )
    called = (
        f'<process id="q">{start("qs")}<scriptTask id="b"><script>r = x + 1; t = 1</script></scriptTask>{end("qe")}'
        f"{edges('qs > b > qe')}</process>"
    )
    assert Run(_source(call, called), {"n": 1}, process="p").variables == {"n": 1, "m": 2}


def test_a_called_process_can_be_given_everything() -> None:
    call = (
        '<callActivity id="a" calledElement="q"><extensionElements><camunda:in variables="all"/>'
        '<camunda:out variables="all"/></extensionElements></callActivity>'
    )
    called = (
        f'<process id="q">{start("qs")}<scriptTask id="b"><script>r = n + 1</script></scriptTask>{end("qe")}'
        f"{edges('qs > b > qe')}</process>"
    )
    assert Run(_source(call, called), {"n": 1}, process="p").variables == {"n": 1, "r": 2}


def test_a_mapping_that_cannot_be_computed_is_an_incident_and_in_a_simulation_told() -> None:
    source = _source(_task(_io(_input("=missing.field + 1", "x"))))
    failed = Run(source, handlers=_doing({}))
    assert failed.status is Status.FAILED
    simulated = Run(source, handlers=_doing({}), settings={"simulate": True})
    assert simulated.status is Status.COMPLETED
    assert any("mapping to x" in event.data["message"] for event in simulated.events(EventType.NOTICE))


def test_a_persons_outputs_are_mapped_too() -> None:
    task = f'<userTask id="a"><extensionElements>{_io(_output("=answer", "decision"))}</extensionElements></userTask>'
    run = Run(_source(task))
    run.do("a", {"answer": "yes", "note": "n"})
    assert run.variables == {"decision": "yes"}


def test_an_output_mapping_that_cannot_be_made_is_an_incident_and_the_work_is_done_once() -> None:
    calls = 0

    def do(work: Work) -> Outcome:
        nonlocal calls
        calls += 1
        assert calls < 10, "done again and again"
        return Outcome(outputs={"y": calls} if calls > 1 else {})

    run = Run(_source(_task(_io(_output("=missing + y", "x"))), ""), {"missing": 1}, handlers={"a": do})
    assert (run.status, calls) == (Status.FAILED, 1)
    (task,) = run.instance.incidents
    run.retry(task)
    assert (run.status, calls, run.variables) == (Status.COMPLETED, 2, {"missing": 1, "x": 3})


@pytest.mark.parametrize("kind", ["serviceTask", "scriptTask"])
def test_data_associations_change_names_on_the_way_in_and_out(kind: str) -> None:
    data = (
        '<ioSpecification><dataInput id="i1" name="given"/><dataOutput id="o1" name="res"/><inputSet/><outputSet/>'
        "</ioSpecification><dataInputAssociation><sourceRef>x</sourceRef><targetRef>i1</targetRef></dataInputAssociation>"
        "<dataOutputAssociation><sourceRef>o1</sourceRef><targetRef>x</targetRef></dataOutputAssociation>"
    )
    script = "<script>res = given + 1</script>" if kind == "scriptTask" else ""
    task = f'<property id="x" name="x"/><{kind} id="a">{data}{script}</{kind}>'

    def do(work: Work) -> Outcome:
        return Outcome(outputs={"res": work.variables["given"] + 1})

    assert Run(_source(task), {"x": 1}, handlers={"a": do}).variables == {"x": 2}


def test_people_are_computed_from_what_inputs_set() -> None:
    boss = '<camunda:inputParameter name="boss">${who}</camunda:inputParameter>'
    boss = f"<camunda:inputOutput>{boss}</camunda:inputOutput>"
    task = f'<userTask id="a" camunda:assignee="${{boss}}"><extensionElements>{boss}</extensionElements></userTask>'
    (item,) = Run(_source(task), {"who": "ann"}).instance.work_items.values()
    assert (item.assignee, item.shown["inputs"]) == ("ann", {"boss": "ann"})


def test_the_entries_of_a_map_are_computed_one_by_one() -> None:
    seen: dict[str, Any] = {}
    entries = '<camunda:entry key="n">${n + 1}</camunda:entry><camunda:entry key="text">as it is</camunda:entry>'
    mapping = (
        f'<camunda:inputOutput><camunda:inputParameter name="h"><camunda:map>{entries}</camunda:map>'
        "</camunda:inputParameter></camunda:inputOutput>"
    )
    Run(_source(_task(mapping)), {"n": 1}, handlers=_doing(seen))
    assert seen["h"] == {"n": 2, "text": "as it is"}
