"""The time to answer in a policy is a span of time."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.timers import DURATION_FORMS, parse_duration
from bpmn.walk import elements


def _check(place: Place) -> Iterator[Problem]:
    if not place.is_process:
        return
    told: set[str] = set()
    for resolved in (place.process.policy, *(element.resolved for element in elements(place.process))):
        due, origin = resolved.policy.approval.due, resolved.origins.get("approval")
        if due is None or origin is None or origin.element is None or due in told or _is_duration(due):
            continue
        told.add(due)
        yield Problem(
            message="approval due: it is no ISO 8601 duration",
            element=origin.element,
            line=origin.line,
            found=f"due={due[:100]}",
            allowed=DURATION_FORMS,
        )


def _is_duration(text: str) -> bool:
    try:
        parse_duration(text)
    except ValueError:
        return False
    return True


RULE = Rule(code="policy-due", severity="error", check=_check)
