"""An event-based gateway leads to what waits: catch events and receive tasks, each by this gateway alone."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule

_WAITING = ("intermediateCatchEvent", "receiveTask")


def _check(place: Place) -> Iterator[Problem]:
    elements, flows = place.scope.elements, place.scope.flows
    for gateway in elements.values():
        if gateway.kind != "eventBasedGateway":
            continue
        if len(gateway.outgoing) < 2:
            message = "an event-based gateway chooses between at least two events"
            found = f"{len(gateway.outgoing)} outgoing"
            yield Problem(message=message, element=gateway.id, line=gateway.line, found=found)
        for flow in (flows[identifier] for identifier in gateway.outgoing):
            target = elements[flow.target]
            if target.kind not in _WAITING:
                message = "a flow out of an event-based gateway leads to something that does not wait"
                found = f"{target.kind} {target.id}"
                yield Problem(message=message, element=flow.id, line=flow.line, found=found, allowed=_WAITING)
            elif len(target.incoming) > 1:
                message = "an event behind an event-based gateway has no other incoming flow"
                found = ", ".join(target.incoming)
                yield Problem(message=message, element=target.id, line=target.line, found=found, allowed=(flow.id,))


RULE = Rule(code="event-gateway", severity="error", check=_check)
