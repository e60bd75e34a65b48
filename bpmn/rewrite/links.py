"""A link is a sequence flow that is not drawn: it becomes one."""

from __future__ import annotations

from dataclasses import replace

from bpmn.definition import Element, EventDefinition, Flow, Scope
from bpmn.rewrite.scope_pass import Names, Note

_NONE = EventDefinition(kind="none")


def rewrite(scope: Scope, names: Names) -> tuple[Scope, list[Note]]:
    """Both events stay, without their link, and a flow leads from the one to the other."""
    ends = {_link(each): each for each in scope.elements.values() if each.kind == "intermediateCatchEvent"}
    elements, flows = dict(scope.elements), dict(scope.flows)
    notes = []
    for element in scope.elements.values():
        end = ends.get(_link(element))
        if element.kind != "intermediateThrowEvent" or _link(element) is None or end is None:
            continue
        flow = Flow(id=names.fresh(f"{element.id}_link"), source=element.id, target=end.id, line=element.line)
        flows[flow.id] = flow
        elements[element.id] = replace(element, event=_NONE, outgoing=(*element.outgoing, flow.id))
        arriving = (*elements[end.id].incoming, flow.id)
        elements[end.id] = replace(end, kind="intermediateThrowEvent", event=_NONE, incoming=arriving)
        message = f"flow {flow.id} to {end.id} stands for the link"
        notes.append(Note(rewrite="link", element=element.id, message=message))
    return (Scope(elements=elements, flows=flows), notes) if notes else (scope, notes)


def _link(element: Element) -> str | None:
    return element.event.ref if element.event is not None and element.event.kind == "link" else None
