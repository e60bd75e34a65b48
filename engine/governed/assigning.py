"""Who a task is for, where the file says it by expressions: computed as the task is offered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bpmn.definition import Assignment, Element
from bpmn.expressions.compiler import compile_condition
from bpmn.expressions.errors import ExpressionError
from bpmn.expressions.outside import Outside
from bpmn.expressions.places import Where
from bpmn.reader.people import is_computed
from engine.errors import EngineError


class NobodyComputed(EngineError):
    """An expression for people that gives no names."""

    def __init__(self, element: str, text: str, found: Any) -> None:
        self.element, self.text, self.found = element, text, found
        super().__init__(
            f"{element}: {text} gives no names; found {type(found).__name__}; allowed: a text, a list of texts, nothing"
        )


def assigned(element: Element, file: str, variables: Mapping[str, Any], outside: Outside) -> Assignment | None:
    """The element's assignment with names in the place of expressions. Raises ExpressionError, NobodyComputed."""
    assignment = element.assignment
    if assignment is None:
        return None

    def value(text: str) -> Any:
        if not is_computed(text):
            return text
        return compile_condition(text, where=Where(file, element.id, element.line)).evaluate(variables, outside=outside)

    assignee = _names(element.id, (assignment.assignee,) if assignment.assignee else (), value)
    if len(assignee) > 1:
        raise NobodyComputed(element.id, assignment.assignee or "", list(assignee))
    try:
        due = None if assignment.due is None else value(assignment.due)
    except ExpressionError:
        due = None  # a task without a due time is still the same people's
    return replace(
        assignment,
        assignee=assignee[0] if assignee else None,
        users=_names(element.id, assignment.users, value),
        groups=_names(element.id, assignment.groups, value),
        due=None if due is None else str(due),
    )


def _names(element: str, texts: tuple[str, ...], value: Callable[[str], Any]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for text in texts:
        given = value(text)
        listed = given if isinstance(given, list) else [] if given is None else [given]
        for name in listed:
            if not isinstance(name, str):
                raise NobodyComputed(element, text, name)
            parts = name.split(",") if is_computed(text) else [name]  # a text may list several
            found.update(dict.fromkeys(part.strip() for part in parts if part.strip()))
    return tuple(found)
