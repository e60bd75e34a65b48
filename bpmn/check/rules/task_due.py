"""The due time of a person's task is a span of time or a date."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element
from bpmn.expressions.compiler import compile_condition
from bpmn.expressions.errors import ExpressionError
from bpmn.expressions.places import Where
from bpmn.reader.people import is_computed
from bpmn.timers import DATE_FORMS, DURATION_FORMS, due_after


def _check(place: Place) -> Iterator[Problem]:
    for element in place.scope.elements.values():
        due = element.assignment.due if element.assignment is not None else None
        why = None if due is None else _problem(due, place, element)
        if due is not None and why is not None:
            yield Problem(
                message=f"due: {why}, so the task has no due time",
                element=element.id,
                line=element.line,
                found=due[:100],
                allowed=(*DURATION_FORMS, *DATE_FORMS),
            )


def _problem(due: str, place: Place, element: Element) -> str | None:
    if not is_computed(due):
        return None if due_after(due) is not None else "it is no ISO 8601 duration or date, and gives none"
    try:
        compile_condition(due, where=Where(place.definition.file, element.id, element.line))
    except ExpressionError as error:
        return f"it gives none: {error.reason}"
    return None


RULE = Rule(code="task-due", severity="warning", check=_check)
