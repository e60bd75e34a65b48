"""Every element can be reached by a token."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element, Scope


def _check(place: Place) -> Iterator[Problem]:
    holder, scope = place.holder, place.scope
    if isinstance(holder, Element) and holder.kind == "adHocSubProcess":
        return
    reached = _reached(scope)
    if not reached:
        return  # Without a start event there is another finding, and nothing to tell elements apart by.
    for element in scope.elements.values():
        if element.id not in reached and not (element.triggered_by_event or element.for_compensation):
            yield Problem(message="no token ever gets here", element=element.id, line=element.line)


def _reached(scope: Scope) -> set[str]:
    boundaries: dict[str, list[str]] = {}
    for element in scope.elements.values():
        if element.attached_to is not None:
            boundaries.setdefault(element.attached_to, []).append(element.id)
    links = _links(scope)
    pending = [element.id for element in scope.elements.values() if element.kind == "startEvent" or element.instantiate]
    reached: set[str] = set()
    while pending:
        identifier = pending.pop()
        if identifier not in reached:
            reached.add(identifier)
            pending += [scope.flows[flow].target for flow in scope.elements[identifier].outgoing]
            pending += links.get(identifier, ())
            pending += boundaries.get(identifier, ())
    return reached


def _links(scope: Scope) -> dict[str, tuple[str, ...]]:
    """Where the links that throw lead."""
    linked = [each for each in scope.elements.values() if each.event is not None and each.event.kind == "link"]
    ends: dict[str | None, tuple[str, ...]] = {}
    for each in linked:
        if each.kind == "intermediateCatchEvent" and each.event is not None:
            ends[each.event.ref] = (*ends.get(each.event.ref, ()), each.id)
    return {each.id: ends.get(each.event.ref, ()) for each in linked if each.event is not None}


RULE = Rule(code="unreachable", severity="warning", check=_check)
