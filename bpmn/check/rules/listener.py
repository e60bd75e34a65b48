"""Listeners are run at moments of a token's way; one that is told of something else is not skipped silently."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element, Flow, Process

_ALLOWED = (
    "start, end, take, create, complete",
    "an activity of its own in its place",
    "none, where it changes nothing",
)


def _check(place: Place) -> Iterator[Problem]:
    holders: list[Element | Flow | Process] = [*place.scope.elements.values(), *place.scope.flows.values()]
    if place.is_process:
        holders.insert(0, place.process)
    for holder in holders:
        what = "sequenceFlow" if isinstance(holder, Flow) else getattr(holder, "kind", "process")
        for each in holder.listeners:
            yield Problem(
                message=f"a listener on {each.event} of this {what} is not run",
                element=holder.id,
                line=each.line,
                found=each.job_type or each.event,
                allowed=_ALLOWED,
            )


RULE = Rule(code="listener", severity="error", check=_check)
