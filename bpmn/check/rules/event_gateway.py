"""An event-based gateway leads to what waits: catch events and receive tasks, each by this gateway alone.

Messages are waited for by events or by tasks, not by both (BPMN 2.0, 10.6.6).
"""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element

_WAITING = ("intermediateCatchEvent", "receiveTask")
_MESSAGES = frozenset({"receiveTask", "message"})


def _check(place: Place) -> Iterator[Problem]:
    elements, flows = place.scope.elements, place.scope.flows
    watched = {element.attached_to for element in elements.values()}
    for gateway in elements.values():
        if gateway.kind != "eventBasedGateway":
            continue
        if len(gateway.outgoing) < 2:
            message = "an event-based gateway chooses between at least two events"
            found = f"{len(gateway.outgoing)} outgoing"
            yield Problem(message=message, element=gateway.id, line=gateway.line, found=found)
        if gateway.parallel and not gateway.instantiate:
            message = "an event-based gateway that waits for all of its events starts a process"
            yield Problem(
                message=message, element=gateway.id, line=gateway.line, found='eventGatewayType="Parallel"',
                allowed=('instantiate="true"',),
            )  # fmt: skip
        targets = [elements[flows[identifier].target] for identifier in gateway.outgoing]
        if {"receiveTask"} < {_kind(target) for target in targets if _kind(target) in _MESSAGES}:
            message = "an event-based gateway leads to message events and to receive tasks"
            yield Problem(message=message, element=gateway.id, line=gateway.line, allowed=("either of them",))
        if gateway.default is not None:
            message = "an event-based gateway has no default flow: it goes on with the event that comes"
            yield Problem(message=message, element=gateway.id, line=gateway.line, found=gateway.default)
        for flow in (flows[identifier] for identifier in gateway.outgoing):
            if flow.condition is not None:
                message = "a flow out of an event-based gateway has no condition: it goes on with the event that comes"
                yield Problem(message=message, element=flow.id, line=flow.line, found=flow.condition.text[:100])
            target = elements[flow.target]
            if target.kind not in _WAITING:
                message = "a flow out of an event-based gateway leads to something that does not wait"
                found = f"{target.kind} {target.id}"
                yield Problem(message=message, element=flow.id, line=flow.line, found=found, allowed=_WAITING)
            elif target.kind == "receiveTask" and target.id in watched:
                message = "a receive task behind an event-based gateway has no boundary events"
                yield Problem(message=message, element=target.id, line=target.line)
            elif len(target.incoming) > 1:
                message = "an event behind an event-based gateway has no other incoming flow"
                found = ", ".join(target.incoming)
                yield Problem(message=message, element=target.id, line=target.line, found=found, allowed=(flow.id,))


def _kind(element: Element) -> str:
    """`receiveTask`, or what an event waits for."""
    return element.kind if element.event is None or element.kind == "receiveTask" else element.event.kind


RULE = Rule(code="event-gateway", severity="error", check=_check)
