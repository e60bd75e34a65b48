"""No flow leads back into a parallel gateway that must fire first: read strictly, it would wait for that flow for ever.

Such a gateway is run by its other flows, and by the one that leads back alone (see the joins of the engine).
"""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element, Scope


def _check(place: Place) -> Iterator[Problem]:
    for join in place.scope.elements.values():
        if join.kind != "parallelGateway" or len(join.incoming) < 2:
            continue
        reached = _reached_without(place.scope, join)
        for flow in (place.scope.flows[each] for each in join.incoming):
            if flow.source not in reached:
                yield Problem(
                    message=f"{flow.id} leads back into the gateway, and can only come after it has gone on once",
                    element=join.id,
                    line=join.line,
                    found=flow.id,
                    allowed=("an exclusiveGateway in front of it, for what leads back",),
                )


def _reached_without(scope: Scope, without: Element) -> set[str]:
    """What a token can get to from where the scope begins, if the gateway lets nothing through."""
    beside: dict[str, list[str]] = {}
    for element in scope.elements.values():
        if element.attached_to is not None:
            beside.setdefault(element.attached_to, []).append(element.id)
    todo = [each.id for each in scope.elements.values() if not each.incoming and each.attached_to is None]
    reached: set[str] = set()
    while todo:
        identifier = todo.pop()
        if identifier not in reached and identifier != without.id:
            reached.add(identifier)
            todo += [scope.flows[flow].target for flow in scope.elements[identifier].outgoing]
            todo += beside.get(identifier, ())
    return reached


RULE = Rule(code="loop-into-join", severity="warning", check=_check)
