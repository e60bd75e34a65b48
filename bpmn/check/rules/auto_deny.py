"""What AUTO_DENY refuses does not cut off what comes after it: an error boundary event, or another way, leads on."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element, Scope
from bpmn.reader.kinds import EVENTS, GATEWAYS


def _check(place: Place) -> Iterator[Problem]:
    refused = [each for each in place.scope.elements.values() if _is_refused(each)]
    if not refused:
        return
    everything = _reached(place.scope, frozenset())
    left = _reached(place.scope, frozenset(each.id for each in refused))
    for element in refused:
        after = [place.scope.flows[flow].target for flow in element.outgoing]
        lost = [each for each in after if each in everything and each not in left]
        if lost and element.id in everything:
            origin = element.resolved.origins.get("interaction_level")
            yield Problem(
                message=f"{lost[0]} is never reached: what comes before it is refused",
                element=element.id,
                line=element.line if origin is None or origin.line is None else origin.line,
                found="AUTO_DENY",
                allowed=("an error boundary event that leads on", "another level"),
            )


def _is_refused(element: Element) -> bool:
    denied = element.resolved.policy.interaction_level == "AUTO_DENY"
    return denied and element.kind not in GATEWAYS and element.kind not in EVENTS


def _reached(scope: Scope, refused: frozenset[str]) -> set[str]:
    """What a token comes to; out of what is refused it comes by error boundary events alone."""
    beside: dict[str, list[str]] = {}
    for element in scope.elements.values():
        if element.attached_to is not None and element.event is not None and element.event.kind == "error":
            beside.setdefault(element.attached_to, []).append(element.id)
    todo = [each.id for each in scope.elements.values() if not each.incoming and each.attached_to is None]
    reached: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            todo += beside.get(name, ())
            if name not in refused:
                todo += [scope.flows[flow].target for flow in scope.elements[name].outgoing]
    return reached


RULE = Rule(code="auto-deny", severity="warning", check=_check)
