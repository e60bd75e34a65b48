"""Every element can be reached by a token."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.check.ways import reached_from, ways_of
from bpmn.definition import Element


def _check(place: Place) -> Iterator[Problem]:
    holder, scope = place.holder, place.scope
    if isinstance(holder, Element) and holder.kind == "adHocSubProcess":
        return
    begin = (each.id for each in scope.elements.values() if each.kind == "startEvent" or each.instantiate)
    reached = reached_from(begin, ways_of(scope))
    if not reached:
        return  # Without a start event there is another finding, and nothing to tell elements apart by.
    for element in scope.elements.values():
        if element.id not in reached and not (element.triggered_by_event or element.for_compensation):
            yield Problem(message="no token ever gets here", element=element.id, line=element.line)


RULE = Rule(code="unreachable", severity="warning", check=_check)
