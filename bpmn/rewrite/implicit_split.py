"""Several flows, or flows with conditions, out of something that is no gateway: the gateway they mean is put in.

Without conditions every flow is taken: a parallel gateway. With conditions every flow whose condition holds is, and
the default only if none does: an inclusive gateway (BPMN 2.0, 13.3.1).
"""

from __future__ import annotations

from dataclasses import replace

from bpmn.definition import Element, Flow, Scope
from bpmn.reader.kinds import GATEWAYS
from bpmn.rewrite.scope_pass import Names, Note


def rewrite(scope: Scope, names: Names) -> tuple[Scope, list[Note]]:
    """All ids stay; the gateway and the flow to it get new ones, and the policy of the element before it."""
    elements: dict[str, Element] = {}
    flows = dict(scope.flows)
    notes = []
    for element in scope.elements.values():
        elements[element.id] = element
        leaving = [flows[flow] for flow in element.outgoing]
        conditional = any(flow.condition is not None for flow in leaving)
        if element.kind in GATEWAYS or not (conditional or len(leaving) > 1):
            continue
        gateway = _gateway(element, names.fresh(f"{element.id}_split"), conditional=conditional)
        link = Flow(id=names.fresh(f"{element.id}_to_split"), source=element.id, target=gateway.id, line=element.line)
        elements[gateway.id] = replace(gateway, incoming=(link.id,))
        elements[element.id] = replace(element, outgoing=(link.id,), default=None)
        flows[link.id] = link
        flows.update((flow.id, replace(flow, source=gateway.id)) for flow in leaving)
        message = f"{gateway.kind} {gateway.id} stands for its {len(leaving)} outgoing flows"
        notes.append(Note(rewrite="implicit-split", element=element.id, message=message))
    return (Scope(elements=elements, flows=flows), notes) if notes else (scope, notes)


def _gateway(element: Element, identifier: str, *, conditional: bool) -> Element:
    return Element(
        id=identifier,
        kind="inclusiveGateway" if conditional else "parallelGateway",
        line=element.line,
        outgoing=element.outgoing,
        default=element.default,
        lane=element.lane,
        resolved=element.resolved,
    )
