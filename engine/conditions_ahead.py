"""The variables that conditions read which a token can still come to (Design: D3 merge, default)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from bpmn.definition import Element, Expression, Scope

Place = tuple[str, str]
"""What a token does ("reach" an element, "leave" it, leave what is "around" it) and the element's id."""


class ConditionsAhead:
    """Looks ahead over a whole process at once; asking for one element costs nothing after that.

    `scopes` gives the scope that an element stands in, `around` the sub-process that holds it, `boundaries` the events
    on an activity, `names_of` the variables in a condition. Called processes have variables of their own, so their
    conditions are none of these.
    """

    def __init__(
        self,
        scopes: Mapping[str, Scope],
        around: Mapping[str, Element | None],
        boundaries: Mapping[str, tuple[Element, ...]],
        names_of: Callable[[str, str | None], frozenset[str]],
    ) -> None:
        self._scopes, self._around, self._boundaries = scopes, around, boundaries
        self._names_of = names_of

    def names_after(self, element: Element) -> frozenset[str]:
        """Variables of conditions that can be looked at once the element is done.

        Also after the sub-processes around it, which may do all they hold again where they loop.
        """
        names = self._ahead
        return names.get(("leave", element.id), frozenset()) | names.get(("around", element.id), frozenset())

    @cached_property
    def _ahead(self) -> Mapping[Place, frozenset[str]]:
        """What is read from each place on; places where nothing is are left out.

        A name goes back, way by way, to all places that lead to where it is read.
        """
        places = {(does, each): scope for each, scope in self._scopes.items() for does in ("reach", "leave", "around")}
        names = {place: frozenset[str]().union(*self._read_at(place, scope)) for place, scope in places.items()}
        todo = [place for place, found in names.items() if found]
        if not todo:
            return {}
        before: dict[Place, list[Place]] = defaultdict(list)
        for place, scope in places.items():
            for after in self._ways(place, scope):
                before[after].append(place)
        while todo:
            place = todo.pop()
            for earlier in before[place]:
                if not names[place] <= names[earlier]:
                    names[earlier] |= names[place]
                    todo.append(earlier)
        return {place: found for place, found in names.items() if found}

    def _read_at(self, place: Place, scope: Scope) -> Iterator[frozenset[str]]:
        """The variables of each condition that is looked at here."""
        does, identifier = place
        element = scope.elements[identifier]
        conditions: list[Expression | None] = []
        if does == "leave":
            conditions += [scope.flows[flow].condition for flow in element.outgoing]
        elif does == "reach":
            conditions.append(_between_rounds(element))
        elif (around := self._around[identifier]) is not None:
            conditions.append(_between_rounds(around))
        return (self._names_of(each.text, each.language) for each in conditions if each is not None)

    def _ways(self, place: Place, scope: Scope) -> Iterator[Place]:
        """What may come next."""
        does, identifier = place
        element = scope.elements[identifier]
        if does == "leave":
            yield from (("reach", scope.flows[flow].target) for flow in element.outgoing)
        elif does == "reach":
            yield "leave", identifier
            yield from (("reach", each.id) for each in (*self._boundaries.get(identifier, ()), *_inside(element)))
        elif (around := self._around[identifier]) is not None:
            yield "leave", around.id
            yield "around", around.id
            yield from (("reach", each.id) for each in self._boundaries.get(around.id, ()))
            if around.loop is not None and around.loop.kind != "parallel":
                yield from (("reach", each.id) for each in _inside(around))


def _inside(element: Element) -> tuple[Element, ...]:
    return () if element.scope is None else tuple(element.scope.elements.values())


def _between_rounds(element: Element) -> Expression | None:
    return None if element.loop is None else element.loop.completion_condition
