"""A merge by a person is not inside a multi-instance activity: somebody would be asked for each of its instances."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element, Scope
from bpmn.strategies import is_join
from governance.policy import Policy


def _check(place: Place) -> Iterator[Problem]:
    for element in place.scope.elements.values():
        if not _has_instances(element) or element.scope is None:
            continue
        for join in _joins(element.scope):
            if _asks(join.resolved.policy):
                yield Problem(
                    message=f"a person merges in each instance of {element.id}",
                    element=join.id,
                    line=join.line,
                    found="merge=HUMAN",
                    allowed=("another merge strategy", f"merge=HUMAN on {element.id}"),
                )


def _joins(scope: Scope) -> Iterator[Element]:
    """What brings branches together inside a scope, and in those in it that have no instances of their own."""
    for element in scope.elements.values():
        if is_join(element):
            yield element
        if element.scope is not None and not _has_instances(element):
            yield from _joins(element.scope)


def _has_instances(element: Element) -> bool:
    return element.loop is not None and element.loop.kind != "standard"


def _asks(policy: Policy) -> bool:
    return "HUMAN" in (policy.merge, *policy.merge_keys.values())


RULE = Rule(code="human-merge", severity="warning", check=_check)
