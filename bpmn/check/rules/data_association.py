"""Only a call activity's data associations change names; elsewhere data are the variables of the same name."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule


def _check(place: Place) -> Iterator[Problem]:
    for element in place.scope.elements.values():
        if element.kind == "callActivity":
            continue
        for item in (*element.data_inputs, *element.data_outputs):
            if item.variable is not None:
                yield Problem(
                    message=f"the association of {item.name} with {item.variable} is not followed",
                    element=element.id,
                    line=element.line,
                    found=item.variable,
                    allowed=(f"data of the name {item.name}",),
                )


RULE = Rule(code="data-association", severity="warning", check=_check)
