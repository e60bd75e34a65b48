"""A condition on a flow out of an activity leaves another way (BPMN 2.0, 8.3.13): it is not the only flow."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.reader.kinds import ACTIVITIES


def _check(place: Place) -> Iterator[Problem]:
    for element in place.scope.elements.values():
        if element.kind not in ACTIVITIES or len(element.outgoing) != 1:
            continue
        flow = place.scope.flows[element.outgoing[0]]
        if flow.condition is not None:
            yield Problem(
                message=f"the only flow out of {element.id} has a condition: where it does not hold nothing goes on",
                element=flow.id,
                line=flow.line,
                found=flow.condition.text[:100],
                allowed=("no condition", "a second flow"),
            )


RULE = Rule(code="conditional-flow", severity="error", check=_check)
