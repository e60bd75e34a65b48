"""Passes before the checks: what a file leaves open and can only mean one thing is put in, and told as a warning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from bpmn.definition import Definition, Element, Process, Scope
from bpmn.findings import Finding
from bpmn.rewrite.scope_pass import Names, Note

Holder: TypeAlias = Process | Element


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """One thing that was put in: the rule that tells it, the element, and what now holds."""

    rule: str
    element: str
    line: int | None
    message: str
    found: str | None = None
    quiet: bool = False
    """What the file says itself, in other words: it is noted, and no warning."""

    def finding(self, file: str) -> Finding:
        """As a warning."""
        return Finding(
            rule=self.rule,
            severity="warning",
            file=file,
            message=self.message,
            element=self.element,
            line=self.line,
            found=self.found,
        )

    def note(self) -> Note:
        """For the log of the run."""
        return Note(rewrite=self.rule, element=self.element, message=self.message)


Preparation: TypeAlias = Callable[[Definition, Names], tuple[Definition, list[Guess]]]


def prepare(definition: Definition, passes: Sequence[Preparation]) -> tuple[Definition, tuple[Guess, ...]]:
    """The definition after all passes, and what they put in."""
    names = Names(definition)
    guesses: list[Guess] = []
    for one in passes:
        definition, made = one(definition, names)
        guesses += made
    return definition, tuple(guesses)


def map_scopes(definition: Definition, change: Callable[[Holder, Scope], Scope]) -> Definition:
    """Every scope as `change` makes it, inner ones first; recursion is as deep as sub-processes are nested."""

    def inside(holder: Holder, scope: Scope) -> Scope:
        changed = {
            element.id: replace(element, scope=inner)
            for element in scope.elements.values()
            if element.scope is not None and (inner := inside(element, element.scope)) is not element.scope
        }
        if changed:
            scope = replace(scope, elements={key: changed.get(key, one) for key, one in scope.elements.items()})
        return change(holder, scope)

    processes = {
        identifier: replace(process, scope=inside(process, process.scope))
        for identifier, process in definition.processes.items()
    }
    return replace(definition, processes=processes)


NO_FLOW_NEEDED: Final = frozenset({"boundaryEvent", "startEvent"})
"""Kinds of element that no sequence flow leads to."""
