"""What AUTO_DENY refuses does not cut off what comes after it: an error boundary event, or another way, leads on."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.check.ways import entries, reached_from, ways_of
from bpmn.definition import Element
from bpmn.reader.kinds import EVENTS, GATEWAYS


def _check(place: Place) -> Iterator[Problem]:
    refused = [each for each in place.scope.elements.values() if _is_refused(each)]
    if not refused:
        return
    ways, begin, at = ways_of(place.scope), list(entries(place.scope)), place.scope.elements
    everything = reached_from(begin, ways)
    errors = {
        each.id: [to for to in ways[each.id] if at[to].attached_to == each.id and _catches_errors(at[to])]
        for each in refused
    }
    left = reached_from(begin, {**ways, **errors})
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


def _catches_errors(element: Element) -> bool:
    return element.event is not None and element.event.kind == "error"


RULE = Rule(code="auto-deny", severity="warning", check=_check)
