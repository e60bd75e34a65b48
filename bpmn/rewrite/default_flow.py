"""The one flow without a condition out of an exclusive gateway is its default, as authors mean it."""

from __future__ import annotations

from dataclasses import replace

from bpmn.definition import Scope
from bpmn.rewrite.scope_pass import Names, Note


def rewrite(scope: Scope, _: Names) -> tuple[Scope, list[Note]]:
    """Without it such a flow would be taken whenever it is looked at before the others."""
    elements, flows = dict(scope.elements), dict(scope.flows)
    notes = []
    for gateway in scope.elements.values():
        if gateway.kind != "exclusiveGateway" or gateway.default is not None or len(gateway.outgoing) < 2:
            continue
        unconditional = [flow for flow in gateway.outgoing if flows[flow].condition is None]
        if len(unconditional) == 1:
            default = unconditional[0]
            elements[gateway.id] = replace(gateway, default=default)
            flows[default] = replace(flows[default], is_default=True)
            message = f"{default}, the only flow without a condition, is the default"
            notes.append(Note(rewrite="default-flow", element=gateway.id, message=message))
    return (Scope(elements=elements, flows=flows), notes) if notes else (scope, notes)
