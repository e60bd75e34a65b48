"""A message or signal event says which one it waits for or throws, and a conditional event on what condition."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element, EventDefinition
from bpmn.findings import shortened

_NAMED = frozenset({"message", "signal"})


def _check(place: Place) -> Iterator[Problem]:
    known = {"message": place.definition.messages, "signal": place.definition.signals}
    for element in place.scope.elements.values():
        for event in _events(element):
            if event.kind == "conditional" and event.condition is None:
                message = f"the {element.kind} has no condition"
                yield Problem(message=message, element=element.id, line=element.line, allowed=("a condition",))
        for kind in _unnamed(element):
            yield Problem(
                message=f"the {element.kind} names no {kind}",
                element=element.id,
                line=element.line,
                allowed=shortened(known[kind]) or (f"{kind}Ref with the id of a {kind}",),
            )


def _unnamed(element: Element) -> Iterator[str]:
    if element.kind == "receiveTask" and element.event is None:
        yield "message"
    for event in _events(element):
        if event.kind in _NAMED and event.ref is None:
            yield event.kind


def _events(element: Element) -> tuple[EventDefinition, ...]:
    return () if element.event is None else (element.event, *element.event.definitions)


RULE = Rule(code="event-reference", severity="error", check=_check)
