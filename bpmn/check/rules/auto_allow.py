"""What has an effect outside is not let through by its own policy unseen: nobody is asked before it is sent or done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element
from bpmn.reader.agents import AGENT_JOB

_LEVEL: Final = "interaction_level"


def _check(place: Place) -> Iterator[Problem]:
    for element in place.scope.elements.values():
        origin = element.resolved.origins.get(_LEVEL)
        allows = element.resolved.policy.interaction_level == "AUTO_ALLOW"
        if allows and origin is not None and origin.element == element.id and _acts_outside(element):
            yield Problem(
                message="the policy lets an effect outside through without asking anybody",
                element=element.id,
                line=origin.line or element.line,
                found="AUTO_ALLOW",
                allowed=("DIFF_PREVIEW", "EXPLICIT_APPROVAL", "no level here"),
            )


def _acts_outside(element: Element) -> bool:
    """Whether it sends something, or hands work to a handler."""
    sends = element.event is not None and element.event.kind == "message" and element.kind in ("sendTask", "endEvent")
    return sends or (element.job_type not in (None, AGENT_JOB) and element.agent is None)


RULE = Rule(code="auto-allow", severity="warning", check=_check)
