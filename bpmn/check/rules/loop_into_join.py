"""No flow leads back into a parallel gateway that must fire first: read strictly, it would wait for that flow for ever.

Such a gateway is run by its other flows, and by the one that leads back alone (see the joins of the engine).
"""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.check.ways import entries, reached_from, ways_of
from bpmn.cycles import on_cycles


def _check(place: Place) -> Iterator[Problem]:
    elements = place.scope.elements.values()
    joins = [each for each in elements if each.kind == "parallelGateway" and len(each.incoming) > 1]
    if not joins:
        return
    ways, begin = ways_of(place.scope), list(entries(place.scope))
    cycles, all_reached = on_cycles(ways), reached_from(begin, ways)
    for join in joins:
        # What only the gateway itself leads to, and leads to the gateway, is on a cycle with it.
        reached = reached_from(begin, {**ways, join.id: []}) if join.id in cycles else all_reached
        for flow in (place.scope.flows[each] for each in join.incoming):
            if flow.source not in reached:
                yield Problem(
                    message=f"{flow.id} leads back into the gateway, and can only come after it has gone on once",
                    element=join.id,
                    line=join.line,
                    found=flow.id,
                    allowed=("an exclusiveGateway in front of it, for what leads back",),
                )


RULE = Rule(code="loop-into-join", severity="warning", check=_check)
