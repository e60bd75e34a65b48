"""What compensation needs: a handler for each of its boundary events, and something to undo (BPMN 2.0, 10.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element, EventDefinition
from bpmn.findings import shortened
from bpmn.reader.kinds import ACTIVITIES
from bpmn.walk import elements


def _check(place: Place) -> Iterator[Problem]:
    every: Mapping[str, Element] = {each.id: each for each in elements(place.process)}
    for element in place.scope.elements.values():
        if element.for_compensation and not element.triggered_by_event and (element.incoming or element.outgoing):
            message = "an activity for compensation has no sequence flows"
            yield Problem(
                message=message, element=element.id, line=element.line,
                found=", ".join((*element.incoming, *element.outgoing)), allowed=("an association",),
            )  # fmt: skip
        for event in _compensations(element):
            if element.kind == "boundaryEvent":
                yield from _boundary(element, place)
            elif element.kind in ("intermediateThrowEvent", "endEvent"):
                yield from _throw(element, event, every)


def _compensations(element: Element) -> list[EventDefinition]:
    every = () if element.event is None else (element.event, *element.event.definitions)
    return [event for event in every if event.kind == "compensation"]


def _boundary(element: Element, place: Place) -> Iterator[Problem]:
    if element.outgoing:
        message = "a compensation boundary event has no outgoing flow"
        found = ", ".join(element.outgoing)
        yield Problem(message=message, element=element.id, line=element.line, found=found, allowed=("an association",))
    if element.handler is None:
        handlers = [each.id for each in place.scope.elements.values() if each.for_compensation]
        message = "the compensation boundary event is associated with no activity for compensation"
        allowed = shortened(handlers) or ('an activity with isForCompensation="true"',)
        yield Problem(message=message, element=element.id, line=element.line, allowed=allowed)


def _throw(element: Element, event: EventDefinition, every: Mapping[str, Element]) -> Iterator[Problem]:
    if event.ref is not None and (event.ref not in every or every[event.ref].kind not in ACTIVITIES):
        message = "activityRef names no activity of this process"
        allowed = shortened([each.id for each in every.values() if each.kind in ACTIVITIES])
        yield Problem(message=message, element=element.id, line=element.line, found=event.ref, allowed=allowed)


RULE = Rule(code="compensation", severity="error", check=_check)
