"""An exclusive gateway needs something to decide by: at most one of its flows has no condition, its default."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element, Flow, Scope


def undecided(element: Element, scope: Scope) -> list[Flow]:
    """The flows out of an exclusive gateway that say nothing of when they are taken, where one too many does."""
    if element.kind != "exclusiveGateway" or len(element.outgoing) < 2:
        return []
    flows = [scope.flows[flow] for flow in element.outgoing]
    open_flows = [flow for flow in flows if flow.condition is None and not flow.is_default]
    return open_flows if len(open_flows) > (1 if element.default is None else 0) else []


def _check(place: Place) -> Iterator[Problem]:
    for element in place.scope.elements.values():
        for flow in undecided(element, place.scope):
            yield Problem(
                message=f"the flow out of {element.id} has no condition and is not its default",
                element=flow.id,
                line=flow.line,
                allowed=("a conditionExpression", f"default={flow.id!r} on {element.id}"),
            )


RULE = Rule(code="missing-condition", severity="error", check=_check)
