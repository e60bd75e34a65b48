"""A process or sub-process starts somewhere, unless it is the empty process of a pool beside one that is run."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element


def _check(place: Place) -> Iterator[Problem]:
    holder = place.holder
    if isinstance(holder, Element) and holder.kind not in ("subProcess", "transaction"):
        return
    others = place.definition.processes.values()
    if place.is_process and not place.scope.elements and any(process.scope.elements for process in others):
        return
    if not any(element.kind == "startEvent" or element.instantiate for element in place.scope.elements.values()):
        what = "process" if place.is_process else "sub-process"
        yield Problem(
            message=f"the {what} has no start event", element=holder.id, line=holder.line, allowed=("a startEvent",)
        )


RULE = Rule(code="no-start-event", severity="error", check=_check)
