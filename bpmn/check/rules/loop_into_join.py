"""No flow leads back into a parallel gateway that must fire first: read strictly, it would wait for that flow for ever.

Such a gateway is run by its other flows, and by the one that leads back alone (see the joins of the engine).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bpmn.check.rule import Place, Problem, Rule
from bpmn.cycles import on_cycles
from bpmn.definition import Element, Scope


def _check(place: Place) -> Iterator[Problem]:
    elements = place.scope.elements.values()
    joins = [each for each in elements if each.kind == "parallelGateway" and len(each.incoming) > 1]
    if not joins:
        return
    ways = _ways(place.scope)
    cycles, all_reached = on_cycles(ways), _reached_without(place.scope, ways, None)
    for join in joins:
        # What only the gateway itself leads to, and leads to the gateway, is on a cycle with it.
        reached = _reached_without(place.scope, ways, join) if join.id in cycles else all_reached
        for flow in (place.scope.flows[each] for each in join.incoming):
            if flow.source not in reached:
                yield Problem(
                    message=f"{flow.id} leads back into the gateway, and can only come after it has gone on once",
                    element=join.id,
                    line=join.line,
                    found=flow.id,
                    allowed=("an exclusiveGateway in front of it, for what leads back",),
                )


def _ways(scope: Scope) -> dict[str, list[str]]:
    """What a token can get to from each element, at once."""
    ways = {
        each.id: [scope.flows[flow].target for flow in each.outgoing] for each in scope.elements.values()
    }
    for element in scope.elements.values():
        if element.attached_to is not None:
            ways.setdefault(element.attached_to, []).append(element.id)
    return ways


def _reached_without(scope: Scope, ways: Mapping[str, list[str]], without: Element | None) -> set[str]:
    """What a token can get to from where the scope begins, if the gateway lets nothing through."""
    todo = [each.id for each in scope.elements.values() if not each.incoming and each.attached_to is None]
    reached: set[str] = set()
    while todo:
        identifier = todo.pop()
        if identifier not in reached and (without is None or identifier != without.id):
            reached.add(identifier)
            todo += ways[identifier]
    return reached


RULE = Rule(code="loop-into-join", severity="warning", check=_check)
