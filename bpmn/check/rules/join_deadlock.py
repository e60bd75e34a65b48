"""A join may wait for ever: a token is there, and the others it waits for can never come."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule


def _check(place: Place) -> Iterator[Problem]:
    elements, flows = place.scope.elements, place.scope.flows
    for id, missing in place.outcomes.stuck.items():
        join = elements[id]
        sources = ", ".join(flows[flow].source for flow in missing)
        yield Problem(
            message=f"the join may wait for ever: nothing need come from {sources}",
            element=id,
            line=join.line,
            found=f"{join.kind} that waits for {len(join.incoming)} flows",
            allowed=("an exclusiveGateway where only one comes", "an inclusiveGateway where some come"),
        )


RULE = Rule(code="join-deadlock", severity="warning", check=_check)
