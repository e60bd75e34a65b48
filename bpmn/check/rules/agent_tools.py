"""An agent's box of tools is an ad-hoc sub-process with activities in it."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule


def _check(place: Place) -> Iterator[Problem]:
    for element in place.scope.elements.values():
        if element.agent is not None and element.agent.box is not None and not element.agent.offers:
            yield Problem(
                message="the agent's tools are activities of an ad-hoc sub-process, and there is none",
                element=element.id,
                line=element.line,
                found=element.agent.box,
                allowed=("the id of an ad-hoc sub-process with activities that nothing leads to",),
            )


RULE = Rule(code="agent-tools", severity="error", check=_check)
