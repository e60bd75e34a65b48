"""Where one split says what its branches get to know, each does: without a strategy a branch gets all of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element, Process
from bpmn.walk import elements
from governance.policy import ResolvedPolicy

_FORKS: Final = frozenset({"parallelGateway", "inclusiveGateway", "complexGateway"})


def _check(place: Place) -> Iterator[Problem]:
    splits = [each for each in place.scope.elements.values() if _splits(each) and not _says(each.resolved)]
    if not splits or not _is_said_elsewhere(place.process):
        return
    for element in splits:
        yield Problem(
            message="other splits say what their branches get to know, and this one does not: each gets all of it",
            element=element.id,
            line=element.line,
            found=f"{len(element.outgoing)} branches",
            allowed=('branchStrategy split="INHERIT_RETAINED"', "a strategy of what is around it"),
        )


def _splits(element: Element) -> bool:
    return element.kind in _FORKS and len(element.outgoing) > 1


def _is_said_elsewhere(process: Process) -> bool:
    return any(_says(resolved) for resolved in (process.policy, *(each.resolved for each in elements(process))))


def _says(resolved: ResolvedPolicy) -> bool:
    """Whether something in the file says how the context is split there."""
    origin = resolved.origins.get("split")
    return origin is not None and origin.element is not None


RULE = Rule(code="split-strategy", severity="warning", check=_check)
