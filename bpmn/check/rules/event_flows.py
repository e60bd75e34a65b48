"""Flows lead to each intermediate event and on; an escalation that is thrown has a code (BPMN 2.0, 10.5.4, 10.5.5)."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element, EventDefinition

_BETWEEN = frozenset({"intermediateCatchEvent", "intermediateThrowEvent"})
_THROWING = frozenset({"endEvent", "intermediateThrowEvent"})


def _check(place: Place) -> Iterator[Problem]:
    linked = {event.ref for each in place.scope.elements.values() if each.kind == "intermediateThrowEvent"
              for event in _events(each) if event.kind == "link"}  # fmt: skip
    for element in place.scope.elements.values():
        kinds = {event.kind for event in _events(element)}
        catches_link = "link" in kinds and element.kind == "intermediateCatchEvent"
        if element.kind in _BETWEEN and place.scope.flows and not element.incoming and not catches_link:
            yield Problem(message="no flow leads to the intermediate event", element=element.id, line=element.line)
        throws_link = "link" in kinds and element.kind == "intermediateThrowEvent"
        if element.kind in _BETWEEN and place.scope.flows and not element.outgoing and not throws_link:
            message = "no flow leads out of the intermediate event"
            yield Problem(message=message, element=element.id, line=element.line)
        if catches_link:
            for event in _events(element):
                if event.ref not in linked:
                    message = "no link event throws to this one"
                    yield Problem(message=message, element=element.id, line=element.line, found=event.ref)
        if element.kind in _THROWING:
            for event in _events(element):
                if event.kind == "escalation" and not _has_code(place, event):
                    message = "the escalation that is thrown has no code"
                    allowed = ("an escalation with an escalationCode",)
                    yield Problem(message=message, element=element.id, line=element.line, allowed=allowed)


def _events(element: Element) -> tuple[EventDefinition, ...]:
    return () if element.event is None else (element.event, *element.event.definitions)


def _has_code(place: Place, event: EventDefinition) -> bool:
    found = place.definition.escalations.get(event.ref or "")
    return found is not None and bool(found.code)


RULE = Rule(code="event-flows", severity="error", check=_check)
