"""The due time of a person's task is a span of time or a date."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.timers import DATE_FORMS, DURATION_FORMS, due_after


def _check(place: Place) -> Iterator[Problem]:
    for element in place.scope.elements.values():
        due = element.assignment.due if element.assignment is not None else None
        if due is not None and due_after(due) is None:
            yield Problem(
                message="due: it is no ISO 8601 duration or date, so the task has no due time",
                element=element.id,
                line=element.line,
                found=due[:100],
                allowed=(*DURATION_FORMS, *DATE_FORMS),
            )


RULE = Rule(code="task-due", severity="warning", check=_check)
