"""A conditional event says on what condition."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element, EventDefinition


def _check(place: Place) -> Iterator[Problem]:
    for element in place.scope.elements.values():
        for event in _events(element):
            if event.kind == "conditional" and event.condition is None:
                message = f"the {element.kind} has no condition"
                yield Problem(message=message, element=element.id, line=element.line, allowed=("a condition",))


def _events(element: Element) -> tuple[EventDefinition, ...]:
    return () if element.event is None else (element.event, *element.event.definitions)


RULE = Rule(code="event-reference", severity="error", check=_check)
