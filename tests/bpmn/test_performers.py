"""Who does a task, in BPMN's own words."""

from __future__ import annotations

import pytest

from bpmn.definition import Assignment
from tests.bpmn.files import chain, loaded, rules

RESOURCES = '<resource id="r" name="Accountant"/><resource id="q"/>'


def _role(kind: str, text: str) -> str:
    inside = f"<resourceAssignmentExpression><formalExpression>{text}</formalExpression></resourceAssignmentExpression>"
    return f"<{kind}>{inside}</{kind}>"


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        (_role("humanPerformer", "kermit"), Assignment(assignee="kermit")),
        (_role("performer", "${boss}"), Assignment(assignee="${boss}")),
        (_role("potentialOwner", "user(ann), group(sales), clerks"),
         Assignment(users=("ann",), groups=("sales", "clerks"))),
        (_role("potentialOwner", "a b") + _role("humanPerformer", "x"), Assignment(assignee="x", groups=("a b",))),
        (_role("potentialOwner", "#{f(a, b)}"), Assignment(groups=("#{f(a, b)}",))),
        ('<potentialOwner><resourceRef>x:r</resourceRef></potentialOwner>', Assignment(groups=("Accountant",))),
        ('<humanPerformer><resourceRef>q</resourceRef></humanPerformer>', Assignment(assignee="q")),
    ],
)  # fmt: skip
def test_roles_of_the_standard_say_who_does_a_task(roles: str, expected: Assignment) -> None:
    found = loaded(chain(f'<userTask id="a">{roles}</userTask>', beside=RESOURCES))
    assert found.definition.processes["p"].scope.elements["a"].assignment == expected
    assert "ignored" not in rules(found.findings)


@pytest.mark.parametrize(
    "task",
    [
        '<userTask id="a"><potentialOwner><resourceRef>none</resourceRef></potentialOwner></userTask>',
        '<userTask id="a"><potentialOwner><resourceRef>r</resourceRef><resourceParameterBinding parameterRef="p"/>'
        "</potentialOwner></userTask>",
        '<userTask id="a"><performer><resourceAssignmentExpression><formalExpression language="NCalc">x'
        "</formalExpression></resourceAssignmentExpression></performer></userTask>",
        '<serviceTask id="a" gov:jobType="j"><performer><resourceRef>r</resourceRef></performer></serviceTask>',
    ],
)
def test_a_role_that_names_nobody_is_told(task: str) -> None:
    found = loaded(chain(task, beside=RESOURCES))
    assert "ignored" in rules(found.findings)
    assert found.definition.processes["p"].scope.elements["a"].assignment is None


def test_what_a_dialect_says_of_who_does_a_task_comes_first() -> None:
    inside = f'<userTask id="a" camunda:assignee="ann">{_role("humanPerformer", "bob")}</userTask>'
    found = loaded(chain(inside)).definition.processes["p"].scope.elements["a"]
    assert found.assignment == Assignment(assignee="ann")


def test_a_long_text_is_read_in_time_that_grows_with_it() -> None:
    text = f"a{' ' * 200_000}("
    task = chain(f'<userTask id="a">{_role("potentialOwner", text)}</userTask>')
    found = loaded(task).definition.processes["p"].scope.elements["a"]
    assert found.assignment == Assignment(groups=(text,))
