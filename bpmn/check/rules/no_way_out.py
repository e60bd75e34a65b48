"""From everywhere an end can be reached."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule


def _check(place: Place) -> Iterator[Problem]:
    for id in place.outcomes.endless:
        element = place.scope.elements[id]
        yield Problem(
            message="from here the process goes round for ever: no end can be reached",
            element=id,
            line=element.line,
            found=element.kind,
            allowed=("a way to an end event",),
        )


RULE = Rule(code="no-way-out", severity="warning", check=_check)
