"""What the engine does not run is refused by its name, never skipped."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.check.supported import BEHAVIORS, ELEMENTS, EVENT_SUB_PROCESS_STARTS, EVENTS
from bpmn.definition import Element
from bpmn.findings import near_match
from bpmn.reader.kinds import FLOW_NODES

_ALONE = ("terminate", "link", "compensation", "cancel")
"""Event definitions that an event has no others beside."""


def _check(place: Place) -> Iterator[Problem]:
    for element in place.scope.elements.values():
        if element.kind not in ELEMENTS:
            near = None if element.kind in FLOW_NODES else near_match(element.kind, ELEMENTS)
            message = f"{element.kind} is not supported" + (f"; did you mean {near}?" if near else "")
            yield _problem(element, message, element.kind, tuple(sorted(ELEMENTS)))
        elif element.kind in EVENTS:
            yield from _event(element, place)
        else:
            yield from _activity(element)


def _event(element: Element, place: Place) -> Iterator[Problem]:
    kind = "none" if element.event is None else element.event.kind
    allowed = EVENTS[element.kind]
    if element.kind == "startEvent" and isinstance(place.holder, Element):
        if kind == "none":
            return
        allowed = EVENT_SUB_PROCESS_STARTS if place.holder.triggered_by_event else ("none",)
    if kind not in allowed:
        yield _problem(element, f"{kind} {element.kind} is not supported here", kind, allowed)
    for part in element.event.definitions if element.event is not None else ():
        if part.kind not in allowed or part.kind in _ALONE:
            yield _problem(element, f"{part.kind} in a multiple {element.kind} is not supported", part.kind, allowed)


def _activity(element: Element) -> Iterator[Problem]:
    if element.loop is not None and element.loop.behavior not in BEHAVIORS:
        message = "the behavior of the multi-instance marker is not supported"
        yield _problem(element, message, element.loop.behavior, BEHAVIORS)


def _problem(element: Element, message: str, found: str, allowed: tuple[str, ...]) -> Problem:
    return Problem(message=message, element=element.id, line=element.line, found=found, allowed=allowed)


RULE = Rule(code="unsupported-element", severity="error", check=_check)
