"""Conditions stand only where they are looked at."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule

_UNCONDITIONAL = frozenset({"parallelGateway", "eventBasedGateway", "startEvent"})


def _check(place: Place) -> Iterator[Problem]:
    for flow in place.scope.flows.values():
        source = place.scope.elements[flow.source]
        if flow.condition is not None and source.kind in _UNCONDITIONAL:
            yield Problem(
                message=f"a flow out of a {source.kind} has no condition",
                element=flow.id,
                line=flow.line,
                found=flow.condition.text[:100],
                allowed=("no conditionExpression",),
            )


RULE = Rule(code="useless-condition", severity="warning", check=_check)
