"""A boundary event is attached to an activity; one that catches an error or undoes is not beside it (10.5.6)."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.reader.kinds import ACTIVITIES

_ALWAYS = frozenset({"error", "cancel", "compensation"})


def _check(place: Place) -> Iterator[Problem]:
    for element in place.scope.elements.values():
        if element.kind != "boundaryEvent":
            continue
        host = place.scope.elements.get(element.attached_to or "")
        if host is None or host.kind not in ACTIVITIES:
            yield Problem(
                message="a boundary event is attached to an activity of its process or sub-process",
                element=element.id,
                line=element.line,
                found="attached to nothing" if host is None else f"attached to {host.kind} {host.id}",
                allowed=("attachedToRef with the id of an activity",),
            )
        kind = "none" if element.event is None else element.event.kind
        if kind in _ALWAYS and not element.interrupting:
            yield Problem(
                message=f"a boundary event of kind {kind} has no cancelActivity of false",
                element=element.id,
                line=element.line,
                found='cancelActivity="false"',
                allowed=("true",),
            )


RULE = Rule(code="boundary", severity="error", check=_check)
