"""Where every condition may be false, a decision needs a default flow, or the run stops there with an error."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule

_DECIDING = frozenset({"exclusiveGateway", "inclusiveGateway"})


def _check(place: Place) -> Iterator[Problem]:
    for element in place.scope.elements.values():
        if element.kind not in _DECIDING or len(element.outgoing) < 2 or element.default is not None:
            continue
        if all(place.scope.flows[flow].condition is not None for flow in element.outgoing):
            yield Problem(
                message="every flow has a condition and none is the default",
                element=element.id,
                line=element.line,
                allowed=element.outgoing,
            )


RULE = Rule(code="no-default-flow", severity="warning", check=_check)
