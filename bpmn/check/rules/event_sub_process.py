"""An event sub-process begins with one event that can happen while the scope around it is open (BPMN 2.0, 13.5.4)."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.check.supported import EVENT_SUB_PROCESS_STARTS
from bpmn.definition import Element


def _check(place: Place) -> Iterator[Problem]:
    holder = place.holder
    if not isinstance(holder, Element) or not holder.triggered_by_event:
        return
    starts = [element for element in place.scope.elements.values() if element.kind == "startEvent"]
    for extra in starts[1:]:
        yield Problem(
            message="an event sub-process has one start event", element=extra.id, line=extra.line,
            found=f"{len(starts)} in {holder.id}", allowed=("one",),
        )  # fmt: skip
    for start in starts[:1]:
        kind = "none" if start.event is None else start.event.kind
        if kind == "none":
            message = "the start event of an event sub-process has a trigger"
            yield Problem(
                message=message, element=start.id, line=start.line, found=kind, allowed=EVENT_SUB_PROCESS_STARTS
            )
        elif kind in ("error", "compensation") and not start.interrupting:
            message = f"{kind} interrupts the scope around the event sub-process"
            yield Problem(message=message, element=start.id, line=start.line, found='isInterrupting="false"')


RULE = Rule(code="event-sub-process", severity="error", check=_check)
