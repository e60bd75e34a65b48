"""A start event without a trigger leaves no choice: one for each process or sub-process."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule


def _check(place: Place) -> Iterator[Problem]:
    starts = [
        element
        for element in place.scope.elements.values()
        if element.kind == "startEvent" and element.event is not None and element.event.kind == "none"
    ]
    for extra in starts[1:]:
        yield Problem(
            message=f"a second start event without a trigger, after {starts[0].id}",
            element=extra.id,
            line=extra.line,
            found=f"{len(starts)} in {place.holder.id}",
            allowed=("one",),
        )


RULE = Rule(code="several-start-events", severity="error", check=_check)
