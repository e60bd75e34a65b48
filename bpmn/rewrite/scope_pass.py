"""What a pass is: a function from a scope to an equivalent scope that the engine runs as it stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from bpmn.definition import Definition, Scope
from bpmn.walk import scopes


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One thing a pass did, for the log of the run."""

    rewrite: str
    element: str
    message: str


class Names:
    """Ids for what passes add, none of them taken by anything in the definition."""

    def __init__(self, definition: Definition) -> None:
        self._taken = set(definition.processes)
        for process in definition.processes.values():
            for _, scope in scopes(process):
                self._taken.update(scope.elements, scope.flows)

    def fresh(self, base: str) -> str:
        """`base`, or `base_2`, `base_3` and so on where it is taken."""
        name, count = base, 1
        while name in self._taken:
            count += 1
            name = f"{base}_{count}"
        self._taken.add(name)
        return name


ScopePass: TypeAlias = Callable[[Scope, Names], tuple[Scope, list[Note]]]
"""Rewrites what stands directly in one scope; sub-processes are visited on their own."""
