"""A call activity calls a process of the file."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element, Process
from bpmn.findings import near_match, shortened


def _check(place: Place) -> Iterator[Problem]:
    processes = place.definition.processes
    for element in place.scope.elements.values():
        if element.kind != "callActivity":
            continue
        if element.called in processes:
            yield from _waits_for_events(element, processes[element.called or ""])
            continue
        near = near_match(element.called or "", processes)
        message = "the call activity calls no process of this file" + (f"; did you mean {near}?" if near else "")
        yield Problem(
            message=message,
            element=element.id,
            line=element.line,
            found=element.called or "no calledElement",
            allowed=shortened(processes),
        )


def _waits_for_events(element: Element, called: Process) -> Iterator[Problem]:
    """A process that begins with events alone cannot be called: nobody sends them (BPMN 2.0, 10.2.5)."""
    starts = [each for each in called.scope.elements.values() if each.kind == "startEvent"]
    if starts and all(each.event is not None and each.event.kind != "none" for each in starts):
        yield Problem(
            message="the called process begins with events only",
            element=element.id,
            line=element.line,
            found=", ".join(each.id for each in starts),
            allowed=("a start event without a trigger",),
        )


RULE = Rule(code="call-target", severity="error", check=_check)
