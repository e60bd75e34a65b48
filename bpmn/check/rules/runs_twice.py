"""What stands behind a split without a join runs once for each of its tokens."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule


def _check(place: Place) -> Iterator[Problem]:
    for id in place.outcomes.doubled:
        element = place.scope.elements[id]
        yield Problem(
            message="what follows may run several times: tokens of a split come here one by one",
            element=id,
            line=element.line,
            found=f"{element.kind} where {len(element.incoming)} flows meet",
            allowed=("a parallelGateway or inclusiveGateway that joins them",),
        )


RULE = Rule(code="runs-twice", severity="warning", check=_check)
