"""Conditions stand only where they are looked at."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Expression, Flow

_UNCONDITIONAL = frozenset({"parallelGateway", "startEvent"})


def _check(place: Place) -> Iterator[Problem]:
    for flow in place.scope.flows.values():
        source = place.scope.elements[flow.source]
        if flow.condition is not None and source.kind in _UNCONDITIONAL:
            yield _problem(flow, flow.condition, f"a flow out of a {source.kind} has no condition")
        elif flow.condition is not None and flow.id == source.default:
            yield _problem(flow, flow.condition, "the default flow is taken where no other one is: it has no condition")


def _problem(flow: Flow, condition: Expression, message: str) -> Problem:
    found = condition.text[:100]
    return Problem(
        message=message, element=flow.id, line=flow.line, found=found, allowed=("no conditionExpression",)
    )


RULE = Rule(code="useless-condition", severity="warning", check=_check)
