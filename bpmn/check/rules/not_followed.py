"""A policy says nothing that is not followed yet."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.walk import elements
from governance.policy import Policy


def _check(place: Place) -> Iterator[Problem]:
    """Each field once, where it is written."""
    if not place.is_process:
        return
    told: set[tuple[str | None, str]] = set()
    for resolved in (place.process.policy, *(element.resolved for element in elements(place.process))):
        for field, found, instead in _not_followed(resolved.policy):
            origin = resolved.origins.get(field)
            if origin is not None and origin.element is not None and (origin.element, found) not in told:
                told.add((origin.element, found))
                yield Problem(
                    message=f"this is not followed yet: {instead}",
                    element=origin.element,
                    line=origin.line,
                    found=found,
                )


def _not_followed(policy: Policy) -> Iterator[tuple[str, str, str]]:
    """Per thing that is written and does nothing: the field, what is written, what happens instead."""
    if policy.approval.escalate_to:
        instead = "nobody else is asked when the time is over; the question stays with its roles, or gets its default"
        yield "approval", f"approval escalateTo={policy.approval.escalate_to}", instead


RULE = Rule(code="not-followed", severity="warning", check=_check)
