"""Without a start event every element that no flow leads to begins (BPMN 2.0, 13.2.1): a start event leads to them.

An empty sub-process, such as one whose content is drawn elsewhere, starts and ends.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bpmn.definition import Definition, Element, EventDefinition, Flow, Process, Scope
from bpmn.reader.kinds import GATEWAYS
from bpmn.rewrite.prepare import Guess, Holder, map_scopes
from bpmn.rewrite.scope_pass import Names

_BETWEEN: Final = frozenset({"intermediateThrowEvent", "intermediateCatchEvent"})
"""What a flow leads to."""


def prepare(definition: Definition, names: Names, *, drawn: bool = False) -> tuple[Definition, list[Guess]]:
    """All ids stay; the start event and its flows get new ones. What is only `drawn` may have an end event."""
    guesses: list[Guess] = []

    def change(holder: Holder, scope: Scope) -> Scope:
        if not _starts_nowhere(holder, scope, drawn=drawn):
            return scope
        first = [element for element in scope.elements.values() if _is_first(element)]
        if not first and (scope.elements or isinstance(holder, Process)):
            return scope
        what = "process" if isinstance(holder, Process) else "sub-process"
        told = ", ".join(element.id for element in first)
        message = f"the {what} has no start event: it begins with {told}" if first else f"the {what} is empty"
        guesses.append(Guess(rule="missing-start", element=holder.id, line=holder.line, message=message))
        return _started(holder, scope, first, names)

    return map_scopes(definition, change), guesses


def _starts_nowhere(holder: Holder, scope: Scope, *, drawn: bool) -> bool:
    if isinstance(holder, Element) and (holder.kind == "adHocSubProcess" or holder.triggered_by_event):
        return False
    kinds = {element.kind for element in scope.elements.values()}
    # What has an end event has a start event (BPMN 2.0, 10.5.3): there it is missing, and not left out.
    begins = not kinds.isdisjoint(("startEvent",) if drawn else ("startEvent", "endEvent"))
    return not begins and not any(element.instantiate for element in scope.elements.values())


def _is_first(element: Element) -> bool:
    link = element.event is not None and element.event.kind == "link" and element.kind == "intermediateCatchEvent"
    beside = element.attached_to is not None or element.triggered_by_event or element.for_compensation
    alone = element.kind in GATEWAYS and not element.outgoing
    return not (element.incoming or link or beside or alone or element.kind in _BETWEEN)


def _started(holder: Holder, scope: Scope, first: list[Element], names: Names) -> Scope:
    start = names.fresh(f"{holder.id}_start")
    flows = [
        Flow(id=names.fresh(f"{start}_to_{element.id}"), source=start, target=element.id, line=element.line)
        for element in first
    ]
    resolved = holder.policy if isinstance(holder, Process) else holder.resolved
    event = Element(
        id=start,
        kind="startEvent",
        line=holder.line,
        outgoing=tuple(flow.id for flow in flows),
        event=EventDefinition(kind="none"),
        resolved=resolved,
    )
    reached = {flow.target: replace(scope.elements[flow.target], incoming=(flow.id,)) for flow in flows}
    elements = {start: event, **{key: reached.get(key, element) for key, element in scope.elements.items()}}
    return Scope(elements=elements, flows={**scope.flows, **{flow.id: flow for flow in flows}})
