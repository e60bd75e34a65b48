"""A person answers for what an agent does: one is named at the activity, or around it."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.agents import done_by_agents
from bpmn.check.rule import Place, Problem, Rule


def _check(place: Place) -> Iterator[Problem]:
    for element in done_by_agents(place):
        if element.resolved.policy.accountable is None:
            yield Problem(
                message="nobody answers for what the agent does",
                element=element.id,
                line=element.line,
                found="no accountable",
                allowed=("accountable here, or on what is around it: a person's name",),
            )


RULE = Rule(code="accountable", severity="warning", check=_check, on_request=True)
