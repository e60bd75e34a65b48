"""A call activity calls a process of the file."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.findings import near_match, shortened


def _check(place: Place) -> Iterator[Problem]:
    processes = place.definition.processes
    for element in place.scope.elements.values():
        if element.kind != "callActivity" or element.called in processes:
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


RULE = Rule(code="call-target", severity="error", check=_check)
