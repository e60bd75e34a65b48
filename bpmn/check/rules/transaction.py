"""Cancel events belong to transactions: the end event into one, the boundary event onto it (BPMN 2.0, 10.5.6)."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element
from bpmn.walk import scopes


def _check(place: Place) -> Iterator[Problem]:
    holder = place.holder
    inside = isinstance(holder, Element) and holder.kind == "transaction"
    for element in place.scope.elements.values():
        if element.event is None or element.event.kind != "cancel":
            continue
        if element.kind == "endEvent" and not inside:
            message = "a cancel end event stands directly in a transaction"
            yield Problem(message=message, element=element.id, line=element.line, found=f"in {holder.id}")
        elif element.kind == "endEvent" and not _caught(holder, place):
            message = "the transaction can be cancelled, and has no cancel boundary event"
            yield Problem(message=message, element=holder.id, line=holder.line, found=f"cancel endEvent {element.id}")
        elif element.kind == "boundaryEvent":
            host = place.scope.elements.get(element.attached_to or "")
            if host is not None and host.kind != "transaction":
                message = "a cancel boundary event is attached to a transaction"
                yield Problem(message=message, element=element.id, line=element.line, found=f"{host.kind} {host.id}")


def _caught(holder: object, place: Place) -> bool:
    return any(
        each.kind == "boundaryEvent" and each.attached_to == getattr(holder, "id", None)
        and each.event is not None and each.event.kind == "cancel"
        for _, scope in scopes(place.process)
        for each in scope.elements.values()
    )  # fmt: skip


RULE = Rule(code="transaction", severity="error", check=_check)
