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
        (
            '<task id="a"><dataInputAssociation><targetRef>x</targetRef><assignment/></dataInputAssociation></task>',
            "assignment",
        ),
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
