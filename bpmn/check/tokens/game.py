"""The token game of one scope, small enough to be played through: which elements move tokens, and which choose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations, product
from typing import Final

from bpmn.definition import Element, Scope

Marking = Mapping[str, int]
"""Tokens by the flow that they stand on."""

_MOST_WAYS: Final = 5
"""Of a gateway with more ways out than this, each alone and all together are tried."""
_CHOOSES_ONE: Final = frozenset({"exclusiveGateway", "eventBasedGateway"})


@dataclass(frozen=True, slots=True)
class Move:
    """What one element does with its tokens: `takes` one from each of these flows, gives one to each of `gives`.

    A move that `ends` takes all tokens of the scope with it.
    """

    element: str
    takes: tuple[str, ...]
    gives: tuple[str, ...]
    ends: bool = False


class TokenGame:
    """What can move. Sub-processes are one step; what compensates, and event sub-processes, are not in the flow."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._boundaries: dict[str, list[Element]] = {}
        self._links: dict[str | None, tuple[list[Element], list[Element]]] = {}
        """By name: the events that throw, and those that catch."""
        for element in scope.elements.values():
            if element.attached_to is not None and not _compensates(element):
                self._boundaries.setdefault(element.attached_to, []).append(element)
            if _is_link(element) and element.event is not None:
                ends = self._links.setdefault(element.event.ref, ([], []))
                ends[bool(element.outgoing)].append(element)

    @property
    def is_decidable(self) -> bool:
        """Whether every element here does what can be told from the drawing."""
        counts = all(
            each.start_quantity == each.completion_quantity == 1 and each.kind != "complexGateway"
            for each in self._scope.elements.values()
        )
        return counts and not any(len(set(flows)) != len(flows) for flows in self._ways())

    def _ways(self) -> Iterator[Sequence[str]]:
        for element in self._scope.elements.values():
            yield element.incoming
            yield element.outgoing

    def starts(self) -> list[tuple[str, ...]]:
        """The flows that get a token at the beginning, for each way to begin."""
        begins = [each for each in self._scope.elements.values() if _begins(each)]
        events = [each for each in begins if each.kind == "startEvent"]
        if events:
            return [gives for each in events for gives in self._gives(each)]
        # Without start events everything that no flow leads to begins, all at once.
        return [tuple(chain.from_iterable(ways)) for ways in product(*map(self._gives, begins))] if begins else []

    @cached_property
    def by_flow(self) -> Mapping[str, Element]:
        """The element that a flow leads to."""
        return {flow.id: self._scope.elements[flow.target] for flow in self._scope.flows.values()}

    def moves(self, element: Element, flow: str) -> list[Move]:
        """What an element may do with the token on one of its incoming flows; several: something outside decides.

        A parallel gateway takes one from each of its flows. An inclusive join is no matter of one token: `joins`.
        """
        takes = element.incoming if element.kind == "parallelGateway" else (flow,)
        if _terminates(element):
            return [Move(element.id, takes, (), ends=True)]
        own = [Move(element.id, takes, gives) for gives in self._gives(element)]
        for boundary in self._boundaries.get(element.id, ()):
            for gives in self._gives(boundary):
                own.append(Move(boundary.id, takes, gives))
                if not boundary.interrupting:
                    own += [Move(boundary.id, takes, (*gives, *each)) for each in self._gives(element)]
        return own

    def is_inclusive_join(self, element: Element) -> bool:
        return element.kind == "inclusiveGateway" and len(element.incoming) > 1

    def joined(self, element: Element, marking: Marking) -> list[Move]:
        """What an inclusive join does now; nothing while a token elsewhere may still come where it has none.

        A token that may as well come where it has one already is not waited for (BPMN 2.0, 13.4.3).
        """
        held = [flow for flow in element.incoming if marking.get(flow)]
        missing = [flow for flow in element.incoming if not marking.get(flow)]
        reach = self._reaching[element.id]
        for flow, count in marking.items():
            may_come = any(flow in reach[each] for each in missing)
            if count and may_come and flow not in element.incoming and not any(flow in reach[each] for each in held):
                return []
        return [Move(element.id, tuple(held), gives) for gives in self._gives(element)]

    @cached_property
    def _reaching(self) -> Mapping[str, Mapping[str, frozenset[str]]]:
        """Per inclusive join and flow into it: the flows from which a token can come there, not through the join."""
        return {
            join.id: {flow: self._back_from(flow, join) for flow in join.incoming}
            for join in self._scope.elements.values()
            if self.is_inclusive_join(join)
        }

    def _back_from(self, flow: str, join: Element) -> frozenset[str]:
        found: set[str] = set()
        pending = [flow]
        while pending:
            source = self._scope.elements[self._scope.flows[pending.pop()].source]
            if source.id == join.id:
                continue
            new = {flow for each in self._behind(source) for flow in each.incoming} - found
            found |= new
            pending += new
        return frozenset(found)

    def _behind(self, element: Element) -> Sequence[Element]:
        """Where the tokens of an element come in: itself, what it is attached to, the throwing ends of its link."""
        if element.attached_to is not None:
            return [self._scope.elements.get(element.attached_to, element)]
        if _is_link(element) and element.event is not None and not element.incoming:
            return self._links[element.event.ref][0]
        return [element]

    def _gives(self, element: Element) -> list[tuple[str, ...]]:
        """The flows that get a token, for each thing that may happen."""
        flows = element.outgoing
        if not flows and _is_link(element) and element.event is not None:
            return [tuple(flow for each in self._links[element.event.ref][1] for flow in each.outgoing)]
        if len(flows) < 2 or element.kind == "parallelGateway":
            return [flows]
        if element.kind in _CHOOSES_ONE:
            return [(flow,) for flow in flows]
        if element.kind == "inclusiveGateway":
            return _some(flows)
        conditional = [flow for flow in flows if self._scope.flows[flow].condition is not None]
        if not conditional:
            return [flows]
        always = tuple(flow for flow in flows if flow not in conditional and flow != element.default)
        chosen = [(*always, *some) for some in ((), *_some(tuple(conditional)))]
        return [each if each or element.default is None else (element.default,) for each in chosen if each or
                element.default is not None]  # fmt: skip


def _some(flows: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Every choice of one or more, or, of many, each alone and all."""
    if len(flows) > _MOST_WAYS:
        return [*((flow,) for flow in flows), flows]
    return [some for size in range(1, len(flows) + 1) for some in combinations(flows, size)]


def _begins(element: Element) -> bool:
    away = element.attached_to is not None or element.triggered_by_event or element.for_compensation
    return not element.incoming and not away and not _is_link(element)


def _is_link(element: Element) -> bool:
    return element.event is not None and element.event.kind == "link"


def _terminates(element: Element) -> bool:
    return element.kind == "endEvent" and element.event is not None and element.event.kind == "terminate"


def _compensates(boundary: Element) -> bool:
    return boundary.event is not None and boundary.event.kind == "compensation"
