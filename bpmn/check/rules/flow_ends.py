"""Where sequence flows may begin and end (BPMN 2.0, tables 10.82 to 10.97)."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element, Flow
from bpmn.reader.kinds import GATEWAYS
from bpmn.walk import leads_nowhere


def _check(place: Place) -> Iterator[Problem]:
    elements = place.scope.elements
    for flow in place.scope.flows.values():
        source, target = elements[flow.source], elements[flow.target]
        if source.kind == "endEvent":
            yield _problem(flow, "an end event has no outgoing flow", source)
        if target.kind in ("startEvent", "boundaryEvent"):
            yield _problem(flow, f"a {target.kind} has no incoming flow", target)
        for end in (source, target):
            if end.triggered_by_event:
                yield _problem(flow, "an event sub-process has no sequence flows", end)
    for element in elements.values():
        if element.instantiate and element.incoming:
            message = f"a {element.kind} that begins a process has no incoming flow"
            found = ", ".join(element.incoming)
            yield Problem(message=message, element=element.id, line=element.line, found=found)
        if element.kind in GATEWAYS and not (element.incoming or element.outgoing):
            message = "no flow leads to the gateway, and none out of it"
            yield Problem(message=message, element=element.id, line=element.line, found=element.kind)
        if leads_nowhere(element):
            yield Problem(message="a boundary event leads somewhere", element=element.id, line=element.line)


def _problem(flow: Flow, message: str, element: Element) -> Problem:
    return Problem(message=message, element=flow.id, line=flow.line, found=f"{element.kind} {element.id}")


RULE = Rule(code="flow-ends", severity="error", check=_check)
