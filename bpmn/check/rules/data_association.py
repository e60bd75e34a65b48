"""An agent is shown variables under their own names, whatever data associations call them."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule


def _check(place: Place) -> Iterator[Problem]:
    for element in place.scope.elements.values():
        if element.agent is None:
            continue
        for item in element.data_inputs:
            if item.variable is not None:
                yield Problem(
                    message=f"the association of {item.name} with {item.variable} is not followed",
                    element=element.id,
                    line=element.line,
                    found=item.variable,
                    allowed=(f"data of the name {item.name}",),
                )


RULE = Rule(code="data-association", severity="warning", check=_check)
