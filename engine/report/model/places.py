"""Where elements stand: in which scope, inside which sub-processes, in which process."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from bpmn.definition import Definition, Element, Scope


@dataclass(frozen=True, slots=True)
class Place:
    """An element and its scope. `chain`: the process, the sub-processes around the element, and its own id."""

    element: Element
    scope: Scope
    chain: tuple[str, ...]


class Places:
    """Every element of a definition by id."""

    def __init__(self, definition: Definition) -> None:
        self._places: dict[str, Place] = {}
        self._callers: dict[str, list[str]] = {}
        self.scopes: dict[str, Scope] = {}
        """By the id of what holds it: a process, or a sub-process."""
        pending: list[tuple[Scope, tuple[str, ...]]] = []
        pending += ((process.scope, (id,)) for id, process in definition.processes.items())
        while pending:
            scope, around = pending.pop()
            self.scopes[around[-1]] = scope
            for element in scope.elements.values():
                self._places[element.id] = Place(element, scope, (*around, element.id))
                if element.called:
                    self._callers.setdefault(element.called, []).append(element.id)
                if element.scope is not None:
                    pending.append((element.scope, (*around, element.id)))

    def __getitem__(self, id: str) -> Place:
        return self._places[id]

    def find(self, name: str | None) -> Place | None:
        """What the engine's name for a place means; some names have an ending after a dot."""
        if name is None:
            return None
        return self._places.get(name) or self._places.get(name.rpartition(".")[0])

    def chain(self, id: str) -> tuple[str, ...]:
        """That of an element; of a process, the process alone."""
        return self._places[id].chain if id in self._places else (id,)

    def calls(self, process: str, inside: str) -> list[str]:
        """The call activities by which `process` is reached from the process `inside`, outermost first; or none."""
        came: dict[str, list[str]] = {process: []}
        queue = deque([process])
        while queue:
            called = queue.popleft()
            if called == inside:
                return came[called]
            for id in self._callers.get(called, ()):
                around = self._places[id].chain[0]
                if around not in came:
                    came[around] = [id, *came[called]]
                    queue.append(around)
        return []
