"""The conditions that a token can still come to (Design: D3 merge, default)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bpmn.definition import Element, Expression, Scope


class ConditionsAhead:
    """Walks a process from one element on.

    `scopes` gives the scope that an element stands in, `around` the sub-process that holds it, `boundaries` the events
    on an activity. Called processes have variables of their own, so their conditions are none of these.
    """

    def __init__(
        self,
        scopes: Mapping[str, Scope],
        around: Mapping[str, Element | None],
        boundaries: Mapping[str, tuple[Element, ...]],
    ) -> None:
        self._scopes, self._around, self._boundaries = scopes, around, boundaries

    def after(self, element: Element) -> Iterator[Expression]:
        """Conditions that can be looked at once the element is done, each at least once.

        Also after the sub-processes around it, which may do all they hold again where they loop.
        """
        seen: set[str] = set()
        todo: list[Element] = []
        yield from self._leave(element, todo)
        around = self._around[element.id]
        while around is not None:
            todo += self._boundaries.get(around.id, ())
            if around.loop is not None:
                yield from _looked_at_between_rounds(around)
                if around.loop.kind != "parallel":
                    todo += _inside(around)
            yield from self._leave(around, todo)
            around = self._around[around.id]
        while todo:
            reached = todo.pop()
            if reached.id not in seen:
                seen.add(reached.id)
                todo += (*self._boundaries.get(reached.id, ()), *_inside(reached))
                yield from _looked_at_between_rounds(reached)
                yield from self._leave(reached, todo)

    def _leave(self, element: Element, todo: list[Element]) -> Iterator[Expression]:
        """The conditions on the flows out of an element; what they lead to is put on `todo`."""
        scope = self._scopes[element.id]
        for flow in map(scope.flows.__getitem__, element.outgoing):
            todo.append(scope.elements[flow.target])
            if flow.condition is not None:
                yield flow.condition


def _inside(element: Element) -> tuple[Element, ...]:
    return () if element.scope is None else tuple(element.scope.elements.values())


def _looked_at_between_rounds(element: Element) -> Iterator[Expression]:
    if element.loop is not None and element.loop.completion_condition is not None:
        yield element.loop.completion_condition
