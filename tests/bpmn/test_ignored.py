"""What a file says and nothing follows is told as a warning."""

from __future__ import annotations

import pytest

from tests.bpmn.files import chain, finding, loaded, policy, rules

JOB = '<zeebe:taskDefinition type="x"/><other:x xmlns:other="urn:x"/>'


@pytest.mark.parametrize(
    ("element", "found"),
    [
        ('<serviceTask id="a" camunda:formKey="x"/>', "camunda:formKey"),
        (f'<serviceTask id="a">{policy("<zeebe:priorityDefinition/>")}</serviceTask>', "zeebe:priorityDefinition"),
        ('<userTask id="a"><potentialOwner/></userTask>', "potentialOwner"),
    ],
)
def test_it_is_told(element: str, found: str) -> None:
    problem = finding(chain(element), "ignored")
    assert (problem.severity, problem.element, problem.found) == ("warning", "a", found)


@pytest.mark.parametrize(
    "element",
    [
        '<serviceTask id="a" camunda:topic="x" camunda:asyncBefore="true"/>',
        f'<serviceTask id="a">{policy(JOB)}</serviceTask>',
        '<task id="a" gov:workingThreshold="5"/>',
    ],
)
def test_what_is_read_or_has_no_effect_is_not(element: str) -> None:
    assert "ignored" not in rules(loaded(chain(element)).findings)


@pytest.mark.parametrize(
    ("event", "found"),
    [
        (f'<signalEventDefinition signalRef="g">{policy(chr(60) + "camunda:in source=" + chr(34) * 2 + "/>")}'
         "</signalEventDefinition>", "camunda:in"),
        ('<messageEventDefinition messageRef="m" camunda:topic="t"/>', "camunda:topic"),
    ],
)  # fmt: skip
def test_what_is_read_of_activities_is_told_of_events(event: str, found: str) -> None:
    data = chain(
        f'<intermediateThrowEvent id="a">{event}</intermediateThrowEvent>',
        beside='<signal id="g" name="g"/><message id="m" name="m"/>',
    )
    assert finding(data, "ignored").found == found


def test_a_name_that_is_a_constant_is_that() -> None:
    caught = '<intermediateCatchEvent id="a"><messageEventDefinition messageRef="m"/></intermediateCatchEvent>'
    constant = loaded(chain(caught, beside="""<message id="m" name='="order"'/>"""))
    assert constant.definition.messages["m"].name == "order"
    assert not constant.findings


@pytest.mark.parametrize(
    ("kind", "told"),
    [("http://www.omg.org/spec/BPMN/20100524/MODEL", {"ignored"}), ("http://www.w3.org/2001/XMLSchema", set())],
)
def test_a_process_file_that_is_imported_is_told(kind: str, told: set[str]) -> None:
    imported = f'<import importType="{kind}" location="other.bpmn" namespace="urn:other"/><process id="p"'
    found = loaded(chain('<task id="a"/>').replace(b'<process id="p"', imported.encode())).findings
    assert rules(found) & {"ignored"} == told
    assert not told or [one.found for one in found if one.rule == "ignored"] == ["other.bpmn"]
