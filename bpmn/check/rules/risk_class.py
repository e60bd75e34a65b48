"""A person looks at what an agent does where the risk is high; where it is unacceptable, no agent does it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpmn.check.agents import done_by_agents
from bpmn.check.rule import Place, Problem, Rule

_GATES: Final = ("DIFF_PREVIEW", "EXPLICIT_APPROVAL", "AUTO_DENY")
"""Levels at which nothing is done unless a person lets it."""


def _check(place: Place) -> Iterator[Problem]:
    for element in done_by_agents(place):
        policy, origin = element.resolved.policy, element.resolved.origins.get("risk_class")
        line = element.line if origin is None or origin.element != element.id else origin.line or element.line
        if policy.risk_class == "unacceptable" and policy.interaction_level != "AUTO_DENY":
            yield Problem(
                message="an agent does what is classed as an unacceptable risk",
                element=element.id,
                line=line,
                found=policy.risk_class.value,
                allowed=("no agent", "AUTO_DENY", "another class"),
            )
        elif policy.risk_class == "high" and policy.interaction_level not in _GATES:
            yield Problem(
                message="an agent does what is classed as a high risk, and no person has to look at it",
                element=element.id,
                line=line,
                found=policy.interaction_level.value,
                allowed=_GATES,
            )


RULE = Rule(code="risk-class", severity="warning", check=_check)
