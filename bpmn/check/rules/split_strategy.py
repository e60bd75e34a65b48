"""Where one split says what its branches get to know, each does: without a strategy a branch gets all of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element
from bpmn.walk import elements
from governance.policy import ResolvedPolicy

_FORKS: Final = frozenset({"parallelGateway", "inclusiveGateway", "complexGateway"})


def _check(place: Place) -> Iterator[Problem]:
    if not place.is_process:
        return
    every = list(elements(place.process))
    if not any(_says(resolved) for resolved in (place.process.policy, *(each.resolved for each in every))):
        return
    for element in (each for each in every if _splits(each) and not _says(each.resolved)):
        yield Problem(
            message="other splits say what their branches get to know, and this one does not: each gets all of it",
            element=element.id,
            line=element.line,
            found=f"{len(element.outgoing)} branches",
            allowed=('branchStrategy split="INHERIT_RETAINED"', "a strategy of what is around it"),
        )


def _splits(element: Element) -> bool:
    return element.kind in _FORKS and len(element.outgoing) > 1


def _says(resolved: ResolvedPolicy) -> bool:
    """Whether something in the file says how the context is split there."""
    origin = resolved.origins.get("split")
    return origin is not None and origin.element is not None


RULE = Rule(code="split-strategy", severity="warning", check=_check)
