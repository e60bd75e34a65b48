"""Where a path just stops, it ends: an end event is put there."""

from __future__ import annotations

from dataclasses import replace

from bpmn.definition import Element, EventDefinition, Flow, Scope
from bpmn.rewrite.scope_pass import Names, Note


def rewrite(scope: Scope, names: Names) -> tuple[Scope, list[Note]]:
    """All ids stay; the end event and the flow to it get new ones."""
    elements: dict[str, Element] = {}
    flows = dict(scope.flows)
    notes = []
    for element in scope.elements.values():
        elements[element.id] = element
        if element.outgoing or element.kind == "endEvent" or element.triggered_by_event or element.for_compensation:
            continue
        end = put_end(element, elements, flows, names)
        notes.append(Note(rewrite="missing-end", element=element.id, message=f"end event {end} is put behind it"))
    return (Scope(elements=elements, flows=flows), notes) if notes else (scope, notes)


def put_end(element: Element, elements: dict[str, Element], flows: dict[str, Flow], names: Names) -> str:
    """Put an end event behind an element, and a flow to it; its id."""
    end = names.fresh(f"{element.id}_end")
    link = Flow(id=names.fresh(f"{element.id}_to_end"), source=element.id, target=end, line=element.line)
    flows[link.id] = link
    elements[element.id] = replace(element, outgoing=(link.id,))
    elements[end] = Element(
        id=end,
        kind="endEvent",
        line=element.line,
        incoming=(link.id,),
        lane=element.lane,
        event=EventDefinition(kind="none"),
        resolved=element.resolved,
    )
    return end
