"""Who a task is for may be computed; what cannot be is an incident, and never lets anybody do it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.status import Status
from tests.engine.models import edges, end
from tests.engine.running import Run

SPACES = (
    'xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" xmlns:camunda="http://camunda.org/schema/1.0/bpmn"'
    ' xmlns:flowable="http://flowable.org/bpmn"'
)


def _run(attributes: str, variables: dict[str, Any], inside: str = "", initiator: str = "") -> Run:
    source = (
        f'<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" {SPACES}><process id="p">'
        f'<startEvent id="s" {initiator}/><userTask id="a" {attributes}>{inside}</userTask>{end()}{edges("s > a > e")}'
        "</process></definitions>"
    )
    return Run(source.encode(), variables)


def _zeebe(assigned: str) -> str:
    return f"<extensionElements><zeebe:assignmentDefinition {assigned}/></extensionElements>"


@pytest.mark.parametrize(
    ("attributes", "inside", "assignee", "users", "groups"),
    [
        ('camunda:assignee="${boss}"', "", "ann", (), ()),
        ('camunda:candidateUsers="${boss}, bob" camunda:candidateGroups="${team.lead}"', "", None,
         ("ann", "bob"), ("g",)),
        ('flowable:candidateGroups="${listed}"', "", None, (), ("x", "y")),
        ("", _zeebe('assignee="=boss" candidateGroups="=teams"'), "ann", (), ("g", "h")),
        ('camunda:assignee="${nobody}"', "", None, (), ()),
    ],
)  # fmt: skip
def test_names_are_computed(attributes: str, inside: str, assignee: Any, users: Any, groups: Any) -> None:
    variables = {"boss": "ann", "team": {"lead": "g"}, "teams": ["g", "h"], "listed": "x, y", "nobody": None}
    run = _run(attributes, variables, inside)
    (item,) = run.instance.work_items.values()
    assert (item.assignee, item.users, item.groups) == (assignee, users, groups)
    assert item.restricted is bool(assignee or users or groups)


@pytest.mark.parametrize(("text", "value"), [("${missing}", 1), ("${x}", 1), ("${x}", ["a", 1])])
def test_what_gives_no_names_is_an_incident(text: str, value: Any) -> None:
    run = _run(f'camunda:assignee="{text}"', {"x": value})
    assert (run.status, run.open_items()) == (Status.FAILED, [])


def test_the_starter_is_known_by_the_name_that_the_start_event_gives() -> None:
    run = _run('flowable:assignee="${me}"', {}, initiator='flowable:initiator="me"')
    (item,) = run.instance.work_items.values()
    assert item.assignee == "starter"
    assert run.variables == {"me": "starter"}


def test_a_due_time_is_computed_and_one_that_cannot_be_is_none() -> None:
    for text, due in (("${soon}", "2026-01-01T01:00:00.000000Z"), ("${missing}", None), ("${now()}", None)):
        run = _run(f'camunda:dueDate="{text}"', {"soon": "PT1H"})
        (item,) = run.instance.work_items.values()
        assert item.due == due
