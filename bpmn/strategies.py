"""Merge strategies that activities on the way to a join name themselves: the join's own holds (Design: D3 merge)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Final

from bpmn.definition import Element, Scope
from governance.policy import BranchStrategy, Policy

_FORKS: Final = frozenset({"parallelGateway", "inclusiveGateway"})


def is_join(element: Element) -> bool:
    """Whether branches come together at a gateway."""
    return element.kind in _FORKS and len(element.incoming) > 1


def strategies_in(elements: Iterable[Element]) -> Mapping[str, BranchStrategy]:
    """What activities name on themselves, by their id; few do, if any."""
    return {element.id: own for element in elements if (own := _own(element)) is not None}


def overruled(scope: Scope, join: Element, named: Mapping[str, BranchStrategy]) -> Mapping[str, BranchStrategy]:
    """Of `strategies_between`, those that say something else than the join's policy."""
    policy = join.resolved.policy
    return {
        element: own
        for element, own in strategies_between(scope, join, named).items()
        if own.merge not in (None, policy.merge)
        or any(_strategy_of(policy, name) != strategy for name, strategy in own.keys.items())
    }


def strategies_between(
    scope: Scope, join: Element, named: Mapping[str, BranchStrategy]
) -> Mapping[str, BranchStrategy]:
    """What activities between a join and its split name on themselves, by their id.

    `named` are the `strategies_in` the scope. The split is the nearest AND or inclusive split that every way to the
    join leads through; where there is none, all that leads to the join counts. An activity in which branches come
    together has its strategies for these.
    """
    if not named:
        return {}
    before = _before(scope, join)
    for split in before:
        if scope.elements[split].kind in _FORKS and len(scope.elements[split].outgoing) > 1:
            between = _before(scope, join, split)
            if not any(_is_entry(scope.elements[each]) for each in between):
                before = between
                break
    return {element: named[element] for element in before if element in named}


def spelt(strategy: BranchStrategy) -> str:
    """A strategy as it is written."""
    parts = [] if strategy.merge is None else [f"merge={strategy.merge}"]
    return ", ".join([*parts, *(f"{name}={each}" for name, each in strategy.keys.items())])


def _own(element: Element) -> BranchStrategy | None:
    """The strategies of an activity's policy that are written on the activity."""
    resolved = element.resolved
    fields = [each for each in ("merge", "merge_keys") if _is_written_on(element, each)]
    if not fields or element.kind in _FORKS or _merges_inside(element):
        return None
    return BranchStrategy(
        merge=resolved.policy.merge if "merge" in fields else None,
        keys=resolved.policy.merge_keys if "merge_keys" in fields else {},
    )


def _is_written_on(element: Element, field: str) -> bool:
    origin = element.resolved.origins.get(field)
    return origin is not None and origin.kind == "element" and origin.element == element.id


def _merges_inside(element: Element) -> bool:
    if element.loop is not None and element.loop.kind == "parallel":
        return True
    inside = () if element.scope is None else element.scope.elements.values()
    return any(is_join(each) or _merges_inside(each) for each in inside)


def _before(scope: Scope, join: Element, up_to: str | None = None) -> list[str]:
    """Elements that lead to the join, nearest first: not further back than `up_to`, and without it."""
    found: dict[str, None] = {}
    todo = [join]
    for element in todo:
        for source in _sources(scope, element):
            if source not in found and source not in (join.id, up_to):
                found[source] = None
                todo.append(scope.elements[source])
    return list(found)


def _sources(scope: Scope, element: Element) -> Iterator[str]:
    yield from (scope.flows[flow].source for flow in element.incoming)
    if element.attached_to is not None:
        yield element.attached_to


def _is_entry(element: Element) -> bool:
    return not element.incoming and element.attached_to is None


def _strategy_of(policy: Policy, name: str) -> str | None:
    if name in policy.merge_keys:
        return policy.merge_keys[name]
    globs = (strategy for glob, strategy in policy.merge_keys.items() if fnmatchcase(name, glob))
    return next(globs, policy.merge)
