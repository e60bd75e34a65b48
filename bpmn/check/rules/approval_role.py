"""An approval names who may give it: without a role anybody may, whoever asked for it."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.walk import elements


def _check(place: Place) -> Iterator[Problem]:
    if not place.is_process:
        return
    told: set[str] = set()
    for resolved in (place.process.policy, *(element.resolved for element in elements(place.process))):
        policy, origin = resolved.policy, resolved.origins.get("interaction_level")
        asks = policy.interaction_level == "EXPLICIT_APPROVAL"
        if not asks or policy.approval.roles or origin is None or origin.element is None or origin.element in told:
            continue
        told.add(origin.element)
        yield Problem(
            message="the approval names no role: anybody may give it",
            element=origin.element,
            line=origin.line,
            found=policy.interaction_level.value,
            allowed=("an approval with roles",),
        )


RULE = Rule(code="approval-role", severity="warning", check=_check)
