"""The ways that tokens take between two elements, marked flow by flow."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final

from bpmn.definition import Element, Scope
from bpmn.reader.kinds import ACTIVITIES
from engine.report.model.places import Places

_TOLD: Final = frozenset({"exclusiveGateway", "inclusiveGateway", "parallelGateway"})
"""Gateways of whose splits the log tells."""


@dataclass(frozen=True, slots=True)
class Position:
    """The last element of which the log told on a branch.

    `first`: the elements where its token goes from there, if that is known. `done`: it was left.
    """

    id: str
    first: tuple[str, ...] = ()
    done: bool = False


@dataclass(slots=True)
class Marks:
    """How often each flow was taken, each event and gateway passed, and each process and sub-process entered."""

    flows: Counter[str] = field(default_factory=Counter)
    passed: Counter[str] = field(default_factory=Counter)


class Routes:
    """Marks ways. Each way is looked for once, through elements of which the log does not tell."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._known: dict[tuple[str, str, str, tuple[str, ...]], list[str] | None] = {}
        self.marks = Marks()

    def go(self, source: Position, target: str, *, stops: bool = False, anew: bool = False) -> None:
        """From element to element: out of sub-processes, along, and in.

        What `stops` at the target did not pass it. `anew`: it reached the target, even if it stood there before.
        """
        if source.id == target:
            if source.done and (anew or self._places[target].element.loop is None):
                self._again(source)
            return
        start, end = self._places.chain(source.id), self._places.chain(target)
        if start[0] != end[0]:
            if self._places[target].element.called == start[0]:
                self.leave(source)
                return
            start = self._call(source, start[0], end[0])
        shared = _shared(start, end)
        if not shared:
            return
        is_around = shared == len(end)
        for id in reversed(start[shared if is_around else shared + 1 :]):
            self._out(Position(id, source.first if id == source.id else ()))
        self._in(start, end, shared, source, stops=stops)

    def leave(self, source: Position) -> str:
        """Out of everything, to the end of the process. Returns the last element, an end."""
        last = source.id
        for id in reversed(self._places.chain(source.id)[1:]):
            last = self._out(Position(id, source.first if id == source.id else ()))
        return last

    def throw(self, source: Position, kind: str) -> None:
        """To an end event inside the scope that throws what a boundary event of this kind caught, if one is near."""
        place = self._places[source.id]
        flows = way(place.scope, source, lambda element: _throws(element, kind))
        if flows is not None:
            self._mark(place.chain[-2], flows)

    def stay(self, id: str) -> None:
        """A token passed an element that has just been told of."""
        if self._places[id].element.kind not in ACTIVITIES:
            self.marks.passed[id] += 1

    def _call(self, source: Position, process: str, called: str) -> tuple[str, ...]:
        """Into a called process; the chain from there on, empty where nothing calls it."""
        calls = self._places.calls(called, process)
        for id in calls:
            self.go(source, id)
            source = Position(self._places[id].element.called or "")
        return (called,) if calls else ()

    def _again(self, source: Position) -> None:
        """Once more to an element that was left: the sub-process around it is done again."""
        place = self._places[source.id]
        if len(place.chain) > 2:
            self._out(source)
            self._begin(place.chain[-2], source.id, stops=False)

    def _in(
        self, start: tuple[str, ...], end: tuple[str, ...], shared: int, source: Position, *, stops: bool
    ) -> None:
        for depth in range(shared, len(end)):
            holder, to = end[depth - 1], end[depth]
            last = stops and depth == len(end) - 1
            here = start[depth] if depth == shared and depth < len(start) else None
            if here is None:
                self._begin(holder, to, stops=last)
            elif here != to:
                self._along(holder, Position(here, source.first if here == source.id else ()), to, stops=last)

    def _along(self, holder: str, source: Position, target: str, *, stops: bool) -> None:
        """The way inside one scope; in a sub-process that is done again, by its end and its start."""
        flows = self._way(holder, source, target)
        if flows is not None:
            self._mark(holder, flows, stops=stops)
        elif len(self._places.chain(holder)) > 1:
            self._out(source)
            self._begin(holder, target, stops=stops)

    def _begin(self, holder: str, target: str, *, stops: bool) -> None:
        for start in self._places.scopes[holder].elements.values():
            if not _begins(start):
                continue
            flows = [] if start.id == target else self._way(holder, Position(start.id), target)
            if flows is not None:
                self.marks.passed[start.id] += start.kind not in ACTIVITIES and not (stops and start.id == target)
                self._mark(holder, flows, stops=stops)
                self.marks.passed[holder] += 1
                return

    def _out(self, source: Position) -> str:
        """To the end of a scope. Returns the element there."""
        place = self._places[source.id]
        flows = way(place.scope, source, lambda element: not element.outgoing)
        if flows is None:
            return source.id
        self._mark(place.chain[-2], flows)
        return place.scope.flows[flows[-1]].target

    def _way(self, holder: str, source: Position, target: str) -> list[str] | None:
        key = (holder, source.id, target, source.first)
        if key not in self._known:
            self._known[key] = way(self._places.scopes[holder], source, lambda element: element.id == target)
        return self._known[key]

    def _mark(self, holder: str, flows: list[str], *, stops: bool = False) -> None:
        self.marks.flows.update(flows)
        passed = [self._places.scopes[holder].flows[flow].target for flow in flows]
        for id in passed[:-1]:
            self._through(id)
        for id in passed[:-1] if stops else passed:
            self.stay(id)

    def _through(self, id: str) -> None:
        """A sub-process in which nothing was done that the log tells of."""
        if id in self._places.scopes:
            starts = [each for each in self._places.scopes[id].elements.values() if _begins(each)]
            if len(starts) == 1:
                self._begin(id, starts[0].id, stops=False)
                self._out(Position(starts[0].id))


def way(scope: Scope, source: Position, reached: Callable[[Element], bool]) -> list[str] | None:
    """Ids of the flows from `source` to the nearest element that is `reached`; None if there is no silent way."""
    came: dict[str, tuple[str, str] | None] = {source.id: None}
    queue = deque([source.id])
    while queue:
        id = queue.popleft()
        for flow_id in scope.elements[id].outgoing:
            target = scope.elements[scope.flows[flow_id].target]
            if target.id in came or (id == source.id and not _allowed(source.first, target.id)):
                continue
            came[target.id] = (id, flow_id)
            if reached(target):
                return _back(came, target.id)
            if is_silent(target):
                queue.append(target.id)
    return None


def is_silent(element: Element) -> bool:
    """Whether a token may pass without an event in the log; in a loop or a sub-process nothing may have been done."""
    if element.kind in ACTIVITIES:
        return element.loop is not None or element.scope is not None
    return element.kind not in _TOLD or len(element.outgoing) < 2


def _begins(element: Element) -> bool:
    """Whether the tokens of a scope begin there."""
    return not element.incoming and element.attached_to is None and not element.triggered_by_event


def _throws(element: Element, kind: str) -> bool:
    return element.kind == "endEvent" and element.event is not None and element.event.kind == kind


def _allowed(first: Collection[str], target: str) -> bool:
    return not first or target in first


def _back(came: dict[str, tuple[str, str] | None], target: str) -> list[str]:
    flows: list[str] = []
    step = came[target]
    while step is not None:
        flows.append(step[1])
        step = came[step[0]]
    return flows[::-1]


def _shared(start: tuple[str, ...], end: tuple[str, ...]) -> int:
    """How many holders two chains have in common."""
    count = 0
    for one, other in zip(start, end, strict=False):
        if one != other:
            break
        count += 1
    return count
