"""An exclusive split into a parallel join waits for ever: only one of the join's tokens can come.

Structural: follows a join's incoming flows back through elements with one flow in and one out.
"""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Scope

_CHOOSING = frozenset({"exclusiveGateway", "eventBasedGateway"})


def _check(place: Place) -> Iterator[Problem]:
    elements = place.scope.elements
    for join in elements.values():
        if join.kind != "parallelGateway" or len(join.incoming) < 2:
            continue
        seen: set[str] = set()
        for split in filter(None, (_split_behind(flow, place.scope) for flow in join.incoming)):
            if split in seen:
                yield Problem(
                    message=f"the join waits for ever: {split} lets only one token through to it",
                    element=join.id,
                    line=join.line,
                    found=f"parallelGateway behind {elements[split].kind} {split}",
                    allowed=("an exclusiveGateway",),
                )
                break
            seen.add(split)


def _split_behind(flow: str, scope: Scope) -> str | None:
    """The choosing gateway that a flow comes from, with nothing but a single path between them."""
    passed: set[str] = set()
    while True:
        element = scope.elements[scope.flows[flow].source]
        if element.kind in _CHOOSING and len(element.outgoing) > 1:
            return element.id
        if len(element.incoming) != 1 or len(element.outgoing) != 1 or element.id in passed:
            return None
        passed.add(element.id)
        flow = element.incoming[0]


RULE = Rule(code="join-deadlock", severity="warning", check=_check)
