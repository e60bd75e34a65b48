"""A drawing for a scope whose file has none: left to right, and in lines one below the other where it is long."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from bpmn.definition import Element, Scope, Shape
from bpmn.reader.kinds import ACTIVITIES, GATEWAYS
from engine.report.geometry import Box, Point, around
from engine.report.model.ranks import Cell, arrange

_TASK: Final = (100.0, 80.0)
_GATEWAY: Final = (50.0, 50.0)
_EVENT: Final = (36.0, 36.0)
_ACROSS: Final = 55.0
_DOWN: Final = 50.0
_MARGIN: Final = 30.0
_HEAD: Final = 40.0
_WIDEST: Final = 1_900.0
"""Where a process goes on in a line below."""
_TRACK: Final = 12.0
"""Between two flows that lead back."""


def lay_out(scope: Scope, *, wraps: bool = True) -> dict[str, Shape]:
    """Bounds of the elements, those of sub-processes too, and waypoints of the flows. It begins at (0, 0)."""
    return _Drawing(scope, wraps=wraps).shapes()


@dataclass(slots=True)
class _Axis:
    """Where the ranks (or rows) of a line begin, and how wide they are."""

    starts: list[float] = field(default_factory=list)
    sizes: list[float] = field(default_factory=list)

    def middle(self, index: int) -> float:
        return self.starts[index] + self.sizes[index] / 2


class _Drawing:
    def __init__(self, scope: Scope, *, wraps: bool) -> None:
        self._scope = scope
        self._inner = {
            id: lay_out(element.scope, wraps=False)
            for id, element in scope.elements.items()
            if element.scope is not None and element.scope.elements
        }
        self._sizes = {id: self._size(element) for id, element in scope.elements.items()}
        self._grid = arrange(scope)
        self._columns, self._lines = self._across(wraps)
        self._rows, self._line_tops = self._downwards()
        self._boxes: dict[str, Box] = {}

    def shapes(self) -> dict[str, Shape]:
        for id, cell in self._grid.cells.items():
            width, height = self._sizes[id]
            x, y = self._columns.middle(cell[0]), self._middle(cell)
            self._boxes[id] = Box(x - width / 2, y - height / 2, width, height)
        self._attach()
        found = {id: Shape(bounds=box) for id, box in self._boxes.items()}
        for id, inner in self._inner.items():
            found.update(moved(inner, self._boxes[id].x + _MARGIN, self._boxes[id].y + _HEAD))
        found.update(self._flows())
        return found

    def _size(self, element: Element) -> Point:
        inner = self._inner.get(element.id)
        if inner is not None:
            width, height = _extent(inner)
            return (width + 2 * _MARGIN, height + _HEAD + _MARGIN)
        if element.kind in GATEWAYS:
            return _GATEWAY
        return _TASK if element.kind in ACTIVITIES else _EVENT

    def _across(self, wraps: bool) -> tuple[_Axis, list[int]]:
        """Ranks from left to right, and the line that each stands in."""
        widths: dict[int, float] = {}
        for id, (rank, _) in self._grid.cells.items():
            widths[rank] = max(widths.get(rank, 0.0), self._sizes[id][0])
        axis, x = _Axis(), 0.0
        lines: list[int] = []
        for rank in range(len(widths)):
            if wraps and x + widths[rank] > _WIDEST and x:
                x = 0.0
                lines.append(lines[-1] + 1)
            else:
                lines.append(lines[-1] if lines else 0)
            axis.starts.append(x)
            axis.sizes.append(widths[rank])
            x += widths[rank] + _ACROSS
        return axis, lines

    def _downwards(self) -> tuple[_Axis, list[float]]:
        """Rows of a line from top to bottom, the same in each line, and where the lines begin."""
        heights: dict[int, float] = {}
        for id, (_, row) in self._grid.cells.items():
            heights[row] = max(heights.get(row, 0.0), self._sizes[id][1])
        passing = (cell[1] for cells in self._grid.lanes.values() for cell in cells)
        count = 1 + max([*heights, *passing], default=0)
        axis, y = _Axis(), 0.0
        for row in range(count):
            axis.starts.append(y)
            axis.sizes.append(heights.get(row, _EVENT[1]))
            y += axis.sizes[-1] + _DOWN
        depths = self._depths(axis)
        tops = [0.0]
        for depth in depths[:-1]:
            tops.append(tops[-1] + depth + 2 * _DOWN)
        return axis, tops

    def _depths(self, rows: _Axis) -> list[float]:
        """How high each line is."""
        lowest = [0] * (1 + max(self._lines, default=0))
        cells = [*self._grid.cells.values(), *(cell for cells in self._grid.lanes.values() for cell in cells)]
        for rank, row in cells:
            lowest[self._lines[rank]] = max(lowest[self._lines[rank]], row)
        return [rows.starts[row] + rows.sizes[row] for row in lowest]

    def _middle(self, cell: Cell) -> float:
        return self._line_tops[self._lines[cell[0]]] + self._rows.middle(cell[1])

    def _attach(self) -> None:
        """Boundary events on the lower edge of their activities."""
        count: dict[str, int] = {}
        for element in self._scope.elements.values():
            host = element.attached_to
            if host is None or host not in self._boxes:
                continue
            box = self._boxes[host]
            count[host] = count.get(host, 0) + 1
            middle = box.right + 5 - 30 * count[host]
            self._boxes[element.id] = Box(middle - _EVENT[0] / 2, box.bottom - _EVENT[1] / 2, *_EVENT)

    def _flows(self) -> Iterator[tuple[str, Shape]]:
        bottom = max((box.bottom for box in self._boxes.values()), default=0.0)
        back = {flow: bottom + 25 + _TRACK * number for number, flow in enumerate(self._grid.back)}
        for flow in self._scope.flows.values():
            source, target = self._boxes.get(flow.source), self._boxes.get(flow.target)
            if source is None or target is None:
                continue
            if flow.id in back:
                points = _below(source, target, back[flow.id])
            elif flow.source == flow.target:
                points = _below(source, target, source.bottom + 20)
            else:
                points = self._forward(flow.id, flow.source, source, target)
            yield flow.id, Shape(waypoints=tuple(points))

    def _forward(self, flow: str, id: str, source: Box, target: Box) -> list[Point]:
        element = self._scope.elements[id]
        rank = self._grid.cells[element.attached_to or id][0]
        if element.attached_to is not None:
            points = [(source.middle[0], source.bottom), (source.middle[0], source.bottom + 15)]
        else:
            points = [(source.right, source.middle[1])]
        for cell in self._grid.lanes.get(flow, ()):
            points += self._step(points[-1], rank, cell[0], self._columns.starts[cell[0]], self._middle(cell))
            points.append((self._columns.starts[cell[0]] + self._columns.sizes[cell[0]], points[-1][1]))
            rank = cell[0]
        end = self._rank_of(flow)
        return points + self._step(points[-1], rank, end, target.x, target.middle[1])

    def _rank_of(self, flow: str) -> int:
        target = self._scope.elements[self._scope.flows[flow].target]
        return self._grid.cells[target.attached_to or target.id][0]

    def _step(self, start: Point, rank: int, to: int, x: float, y: float) -> list[Point]:
        """From one rank into the next: down in between, or around by the line below."""
        if self._lines[rank] == self._lines[to]:
            middle = self._columns.starts[to] - _ACROSS / 2
            bend = [] if start[1] == y else [(middle, start[1]), (middle, y)]
            return [*bend, (x, y)]
        right = self._columns.starts[rank] + self._columns.sizes[rank] + _ACROSS / 2
        between = self._line_tops[self._lines[to]] - _DOWN
        return [(right, start[1]), (right, between), (-_ACROSS / 2, between), (-_ACROSS / 2, y), (x, y)]


def _below(source: Box, target: Box, y: float) -> list[Point]:
    """Down to `y` and back to the lower edge of the target."""
    start, end = source.middle[0], target.middle[0]
    if source == target:
        start, end = start + source.width / 4, end - source.width / 4
    return [(start, source.bottom), (start, y), (end, y), (end, target.bottom)]


def _extent(shapes: Mapping[str, Shape]) -> Point:
    boxes = (Box(*shape.bounds) for shape in shapes.values() if shape.bounds)
    points = ((point[0], point[1]) for shape in shapes.values() for point in shape.waypoints)
    every = around(boxes, points)
    return (every.right, every.bottom)


def moved(shapes: Mapping[str, Shape], dx: float, dy: float) -> dict[str, Shape]:
    """The same drawing elsewhere."""
    return {
        id: Shape(
            bounds=tuple(Box(*shape.bounds).moved(dx, dy)) if shape.bounds else (),
            waypoints=tuple((x + dx, y + dy) for x, y in shape.waypoints),
        )
        for id, shape in shapes.items()
    }
