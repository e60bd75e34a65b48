"""What a diagram of a run shows: planes with nodes, flows, lanes and pools, and what happened at each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from bpmn.definition import Definition, Element, Flow, Participant, Process, Scope
from bpmn.reader.kinds import ACTIVITIES
from engine.report.geometry import Box, Point
from engine.report.model.activities import Tally
from engine.report.model.drawn import Layout
from engine.report.model.extras import Extra, extras
from engine.report.model.path import Path
from engine.report.model.policies import Policies, PolicyView


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A flow node with what happened there.

    `visits`: completions of an activity, passes of anything else. `score`: the lowest attention, None: not measured.
    `waits`: a token stands there now. `is_open`: a sub-process whose content is drawn in it. `label`: where the file
    places its name.
    """

    element: Element
    box: Box
    visits: int = 0
    score: float | None = None
    waits: bool = False
    failed: bool = False
    is_open: bool = False
    label: Box | None = None
    policy: PolicyView | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A sequence or message flow. `taken`: how often a token took it."""

    id: str
    points: tuple[Point, ...]
    kind: Literal["sequence", "message"] = "sequence"
    name: str | None = None
    taken: int = 0
    is_default: bool = False
    is_conditional: bool = False
    """A condition on a flow that leaves no gateway."""
    label: Box | None = None
    policy: PolicyView | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """A pool or a lane. `is_empty`: a pool of which the file says no more than its name."""

    id: str
    name: str
    box: Box
    is_pool: bool = False
    is_empty: bool = False
    policy: PolicyView | None = None


@dataclass(slots=True, kw_only=True)
class Plane:
    """One drawing. Outer nodes come before those inside them. `is_own`: laid out by the file, not by us."""

    name: str
    is_own: bool
    bands: list[Band] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    extras: list[Extra] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Traces:
    """What is known of a run by element. `waiting` are elements where a token stands."""

    path: Path
    tallies: Mapping[str, Tally]
    waiting: frozenset[str] = frozenset()


def planes(definition: Definition, main: str, traces: Traces, policies: Policies) -> list[Plane]:
    """The plane of the process `main`; then those of other processes, and of sub-processes that are drawn apart.

    Of the others only what the run entered. Cost: the elements.
    """
    drawing = _Drawing(definition, traces, policies)
    pools = [each for each in definition.participants.values() if drawing.layout.box(each.id) is not None]
    together = {each.process for each in pools}
    for process in sorted(definition.processes.values(), key=lambda each: each.id != main):
        if process.id != main and not drawing.is_entered(process.scope):
            continue
        if process.id not in together:
            drawing.process(process)
        elif any(pool.process == process.id for pool in pools):
            pools = drawing.collaboration(process.id, pools)
    return drawing.planes


class _Drawing:
    def __init__(self, definition: Definition, traces: Traces, policies: Policies) -> None:
        self._definition, self._traces, self._policies = definition, traces, policies
        self.layout = Layout(definition.layout)
        self.planes: list[Plane] = []

    def is_entered(self, scope: Scope) -> bool:
        return any(id in self._traces.tallies or self._traces.path.passed[id] for id in scope.elements)

    def collaboration(self, process: str, pools: Sequence[Participant]) -> list[Participant]:
        """Draw the pool of a process and those beside it. Returns the others, which cover these: they stand apart."""
        here: list[Participant] = []
        boxes: list[Box] = []
        for pool in sorted(pools, key=lambda each: each.process != process):
            box = self.layout.box(pool.id)
            if box is not None and not any(box.meets(other) for other in boxes):
                here.append(pool)
                boxes.append(box)
        processes = [self._definition.processes[each.process] for each in here if each.process]
        name = " and ".join(each.name or each.id for each in processes)
        bands = [*self._pools(here), *(lane for each in processes for lane in self._lanes(each))]
        holders: set[str | None] = {None, *(each.id for each in processes)}
        self._plane(name, [each.scope for each in processes], holders, bands, self._messages(boxes))
        return [pool for pool in pools if pool not in here]

    def process(self, process: Process) -> None:
        holders: set[str | None] = {process.id}
        self._plane(process.name or process.id, [process.scope], holders, list(self._lanes(process)), [])

    def _plane(
        self, name: str, scopes: Sequence[Scope], holders: set[str | None], bands: list[Band], messages: Iterable[Edge]
    ) -> None:
        is_own = any(self.layout.draws(scope) for scope in scopes)
        layout = self.layout if is_own else Layout.made_for(scopes)
        plane = Plane(name=name, is_own=is_own, bands=bands if is_own else [])
        self.planes.append(plane)
        apart = [element for scope in scopes for element in self._scope(plane, layout, scope)]
        plane.edges += messages if is_own else ()
        if is_own:
            holders = {*holders, *(node.element.id for node in plane.nodes if node.is_open)}
            plane.extras += extras(self._definition.artifacts.values(), holders, layout)
        for element in apart:
            if element.scope is not None and self.is_entered(element.scope):
                self._plane(element.name or element.id, [element.scope], {element.id}, [], [])

    def _scope(self, plane: Plane, layout: Layout, scope: Scope) -> list[Element]:
        """Draw a scope, and those inside it. Returns the sub-processes whose content stands on a plane of its own."""
        apart: list[Element] = []
        pending = [scope]
        while pending:
            scope = pending.pop()
            for element in scope.elements.values():
                box = layout.box(element.id)
                if box is None:
                    continue
                is_open = element.scope is not None and layout.is_inside(element.scope, element.id)
                plane.nodes.append(self._node(element, box, layout.label(element.id), is_open=is_open))
                if is_open and element.scope is not None:
                    pending.append(element.scope)
                elif element.scope is not None:
                    apart.append(element)
            for flow in scope.flows.values():
                points = layout.way(flow)
                if points:
                    plane.edges.append(self._edge(scope, flow, points, layout.label(flow.id)))
        return apart

    def _node(self, element: Element, box: Box, label: Box | None, *, is_open: bool) -> Node:
        traces = self._traces
        found = traces.tallies.get(element.id)
        visits = traces.path.passed[element.id]
        if element.kind in ACTIVITIES and element.scope is None:
            visits = found.completed if found else 0
        return Node(
            element=element,
            box=box,
            visits=visits,
            score=found.score if found else None,
            waits=element.id in traces.waiting,
            failed=bool(found and found.open_incidents),
            is_open=is_open,
            label=label,
            policy=self._policies.of(element.resolved),
        )

    def _edge(self, scope: Scope, flow: Flow, points: tuple[Point, ...], label: Box | None) -> Edge:
        from_gateway = scope.elements[flow.source].kind.endswith("Gateway")
        return Edge(
            id=flow.id,
            points=points,
            name=flow.name,
            taken=self._traces.path.flows[flow.id],
            is_default=flow.is_default,
            is_conditional=flow.condition is not None and not from_gateway,
            label=label,
            policy=self._policies.on(flow.id),
        )

    def _messages(self, pools: Sequence[Box]) -> Iterator[Edge]:
        """Message flows between these pools."""
        for flow in self._definition.message_flows.values():
            points = self.layout.points(flow.id)
            if points and all(any(_near(box, end) for box in pools) for end in (points[0], points[-1])):
                yield Edge(id=flow.id, points=points, kind="message", name=flow.name)

    def _pools(self, pools: Sequence[Participant]) -> Iterator[Band]:
        for pool in pools:
            box = self.layout.box(pool.id)
            if box is not None:
                policy = self._policies.on(pool.process) if pool.process else None
                name, is_empty = pool.name or pool.id, pool.process is None
                yield Band(id=pool.id, name=name, box=box, is_pool=True, is_empty=is_empty, policy=policy)

    def _lanes(self, process: Process) -> Iterator[Band]:
        for lane in process.lanes.values():
            box = self.layout.box(lane.id)
            if box is not None:
                yield Band(id=lane.id, name=lane.name or lane.id, box=box, policy=self._policies.on(lane.id))


def _near(box: Box, point: Point) -> bool:
    """Inside, or on the edge."""
    return Box(box.x - 1, box.y - 1, box.width + 2, box.height + 2).holds(point)
