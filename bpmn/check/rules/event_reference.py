"""A message or signal event says which one it waits for or throws."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element
from bpmn.findings import shortened

_NAMED = frozenset({"message", "signal"})


def _check(place: Place) -> Iterator[Problem]:
    known = {"message": place.definition.messages, "signal": place.definition.signals}
    for element in place.scope.elements.values():
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
    if element.event is not None:
        for event in (element.event, *element.event.definitions):
            if event.kind in _NAMED and event.ref is None:
                yield event.kind


RULE = Rule(code="event-reference", severity="error", check=_check)
