"""An activity before a join names no merge strategy that the join's own overrules."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.strategies import is_join, overruled, spelt, strategies_in


def _check(place: Place) -> Iterator[Problem]:
    named = strategies_in(place.scope.elements.values())
    for join in place.scope.elements.values():
        if not is_join(join):
            continue
        for element, strategy in overruled(place.scope, join, named).items():
            written = place.scope.elements[element]
            yield Problem(
                message=f"the merge strategy is that of the join {join.id}; what an activity before it names is not "
                "looked at",
                element=element,
                line=written.line,
                found=spelt(strategy),
                allowed=(f"the strategy on {join.id}", "a policy of what is around both"),
            )


RULE = Rule(code="branch-strategy", severity="warning", check=_check)
