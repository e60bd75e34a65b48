"""A service, send or business rule task says who does it."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule

_DONE_BY_HANDLERS = frozenset({"serviceTask", "sendTask", "businessRuleTask"})


def _check(place: Place) -> Iterator[Problem]:
    for element in place.scope.elements.values():
        if element.decision is not None:
            continue
        if element.kind in _DONE_BY_HANDLERS and element.job_type is None and element.event is None:
            yield Problem(
                message=f"the {element.kind} has no job type and no agent",
                element=element.id,
                line=element.line,
                allowed=("gov:jobType", "gov:agent"),
            )


RULE = Rule(code="no-job-type", severity="warning", check=_check)
