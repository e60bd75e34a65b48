"""A message flow leads from one pool to another, out of what sends and into what receives (BPMN 2.0, 9.3)."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element, MessageFlow
from bpmn.walk import elements

_EVENTS = frozenset({"startEvent", "endEvent", "boundaryEvent", "intermediateCatchEvent", "intermediateThrowEvent"})


def _check(place: Place) -> Iterator[Problem]:
    """Told with the process that the flow comes from, or goes to."""
    definition = place.definition
    if not place.is_process or not definition.message_flows:
        return
    nodes = {element.id: element for element in elements(place.process)}
    pools = {pool.id for pool in definition.participants.values() if pool.process == place.process.id}
    for flow in definition.message_flows.values():
        inside = [end for end in (flow.source, flow.target) if end in nodes or end in pools]
        if len(inside) == 2:
            yield _problem(flow, "both ends of the message flow are in one pool", flow.source, flow.target)
        for end, role, kinds in (
            (flow.source, "sends", ("endEvent", "intermediateThrowEvent")),
            (flow.target, "receives", ("startEvent", "boundaryEvent", "intermediateCatchEvent")),
        ):
            element = nodes.get(end)
            if element is not None and element.kind in _EVENTS and not _is_message(element, kinds):
                yield _problem(flow, f"{end} is no event that {role} a message", flow.source, flow.target)


def _is_message(element: Element, kinds: tuple[str, ...]) -> bool:
    if element.event is None or element.kind not in kinds:
        return False
    return any(each.kind == "message" for each in (element.event, *element.event.definitions))


def _problem(flow: MessageFlow, message: str, source: str, target: str) -> Problem:
    return Problem(message=message, element=flow.id, line=flow.line, found=f"{source} -> {target}")


RULE = Rule(code="message-flow-ends", severity="error", check=_check)
