"""A policy is written where it does something: about branches where there are some, about the context at activities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element
from bpmn.reader.kinds import EVENTS, GATEWAYS
from bpmn.strategies import is_join
from bpmn.walk import elements

_OF_ACTIVITIES: Final = {
    "working_threshold": "workingThreshold",
    "compress_strategy": "compressStrategy",
    "knowledge_requirements": "knowledgeRequirement",
}
"""Fields of policies that are looked at before an activity."""
_WAITS: Final = frozenset({"callActivity", "receiveTask"})
"""Activities that do nothing themselves."""
_OF_JOINS: Final = {"merge": "branchStrategy merge", "merge_keys": "mergeKey"}


def _check(place: Place) -> Iterator[Problem]:
    if place.is_process:
        yield from _kept_by_part(place)
    for element in place.scope.elements.values():
        for field, spelt, why in _without_effect(element):
            origin = element.resolved.origins[field]
            yield Problem(
                message=f"the policy has no effect here: {why}",
                element=element.id,
                line=origin.line or element.line,
                found=spelt,
                allowed=("the element that it is about",),
            )


def _kept_by_part(place: Place) -> Iterator[Problem]:
    """Retention that is written on a part of the process: kept is an instance as a whole."""
    told: set[str] = set()
    for element in elements(place.process):
        origin = element.resolved.origins.get("retention")
        inside = origin is not None and origin.kind not in ("process", "settings")
        if origin is not None and origin.element is not None and inside and origin.element not in told:
            told.add(origin.element)
            yield Problem(
                message="the policy has no effect here: it is about instances as a whole",
                element=origin.element,
                line=origin.line,
                found="retention",
                allowed=("the process",),
            )


def _without_effect(element: Element) -> Iterator[tuple[str, str, str]]:
    if element.kind in GATEWAYS or element.kind in EVENTS:
        for field, spelt in _OF_ACTIVITIES.items():
            if _is_written(element, field):
                yield field, spelt, "it is about what an activity gets to know"
    if (element.kind in GATEWAYS | EVENTS | _WAITS) and _is_written(element, "sla"):
        yield "sla", "sla", "it is about a task that somebody does"
    if element.kind in GATEWAYS and not is_join(element) and len(element.incoming) <= 1:
        for field, spelt in _OF_JOINS.items():
            if _is_written(element, field):
                yield field, spelt, "no branches come together"
    if element.kind in GATEWAYS and len(element.outgoing) <= 1 and _is_written(element, "split"):
        yield "split", "branchStrategy split", "nothing splits"


def _is_written(element: Element, field: str) -> bool:
    origin = element.resolved.origins.get(field)
    return origin is not None and origin.element == element.id


RULE = Rule(code="policy-effect", severity="warning", check=_check)
