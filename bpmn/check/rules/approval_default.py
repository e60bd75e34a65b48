"""A default answer can come to apply: there is a time for it, and it is one that can be given."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element
from bpmn.strategies import is_join
from bpmn.walk import elements
from governance.policy import Approval, Policy


def _check(place: Place) -> Iterator[Problem]:
    if place.is_process:
        yield from _without_time(place)
    for element in place.scope.elements.values():
        policy = element.resolved.policy
        if policy.approval.default == "approve" and is_join(element) and _can_stay_open(policy):
            yield Problem(
                message="approval default: open conflicts are resolved or denied, so this one does not apply to them",
                element=element.id,
                line=_line(element),
                found="default=approve",
                allowed=("default=deny", "a merge strategy that leaves nothing open, such as LAST_WRITE"),
            )


def _without_time(place: Place) -> Iterator[Problem]:
    """What no `due` comes with, each once where it is written."""
    told: set[str] = set()
    for resolved in (place.process.policy, *(element.resolved for element in elements(place.process))):
        approval, origin = resolved.policy.approval, resolved.origins.get("approval")
        found = " ".join(_when_due(approval))
        if not found or approval.due is not None or origin is None or origin.element is None:
            continue
        if origin.element not in told:
            told.add(origin.element)
            yield Problem(
                message="approval: it applies when the time is over, and no time is given",
                element=origin.element,
                line=origin.line,
                found=found,
                allowed=("due, such as due=PT2H",),
            )


def _when_due(approval: Approval) -> Iterator[str]:
    """What is to happen when the time is over."""
    if approval.default is not None:
        yield f"default={approval.default}"
    if approval.escalate_to is not None:
        yield f"escalateTo={approval.escalate_to}"


def _can_stay_open(policy: Policy) -> bool:
    return any(one != "LAST_WRITE" for one in (policy.merge, *policy.merge_keys.values()))


def _line(element: Element) -> int | None:
    origin = element.resolved.origins.get("approval")
    return element.line if origin is None or origin.line is None else origin.line


RULE = Rule(code="approval-default", severity="warning", check=_check)
