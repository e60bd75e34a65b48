"""Draws a process as its file lays it out."""

from __future__ import annotations

from typing import Final

from bpmn.definition import Definition, Element
from docs.make.pictures.canvas import INK, PAPER, SOFT, Canvas, Point

_TASK: Final = "#f4f7fb"
_HEAD: Final = 7
_WORDS_A_LINE: Final = 12


class Diagram:
    """The main process of a definition, moved by `shift`."""

    def __init__(self, canvas: Canvas, definition: Definition, shift: Point) -> None:
        self._canvas, self._definition, self._shift = canvas, definition, shift
        self._process = definition.processes[definition.main or ""]

    def draw(self) -> None:
        for flow in self._process.scope.flows:
            self._flow([self._moved(point) for point in self._definition.layout[flow].waypoints])
        for element in self._process.scope.elements.values():
            self._element(element)

    def along(self, flow: str, share: float) -> Point:
        """A point on the last stretch of a flow, `share` of the way."""
        (x1, y1), (x2, y2) = (self._moved(point) for point in self._definition.layout[flow].waypoints[-2:])
        return x1 + (x2 - x1) * share, y1 + (y2 - y1) * share

    def _element(self, element: Element) -> None:
        left, top, width, height = self._definition.layout[element.id].bounds
        x, y = self._moved((left, top))
        middle = (x + width / 2, y + height / 2)
        if element.kind.endswith("Event"):
            self._canvas.circle(middle, width / 2, fill=PAPER, line=INK, width=3 if element.kind == "endEvent" else 1.5)
            self._canvas.text((middle[0], y + height + 15), element.name or "", size=11, anchor="middle", fill=SOFT)
        elif element.kind == "parallelGateway":
            self._gateway(middle, width / 2)
        else:
            self._canvas.rect((x, y), (width, height), fill=_TASK, line=INK, radius=10)
            self._words(middle, element.name or element.id)
            if element.agent is not None:
                self._canvas.text((x + width / 2, y + height - 9), "agent", size=10, anchor="middle", fill=SOFT)

    def _gateway(self, middle: Point, half: float) -> None:
        x, y = middle
        data = f"M {x - half} {y} L {x} {y - half} L {x + half} {y} L {x} {y + half} Z"
        self._canvas.path(data, line=INK, width=1.5, fill=PAPER)
        arm = half * 0.45
        self._canvas.lines([(x - arm, y), (x + arm, y)], line=INK, width=3.5)
        self._canvas.lines([(x, y - arm), (x, y + arm)], line=INK, width=3.5)

    def _words(self, middle: Point, name: str) -> None:
        lines = [""]
        for word in name.split():
            if len(f"{lines[-1]} {word}") > _WORDS_A_LINE and lines[-1]:
                lines.append("")
            lines[-1] = f"{lines[-1]} {word}".strip()
        top = middle[1] - 8 * (len(lines) - 1)
        for number, line in enumerate(lines):
            self._canvas.text((middle[0], top + 16 * number), line, size=13, anchor="middle")

    def _flow(self, points: list[Point]) -> None:
        (x1, y1), (x2, y2) = points[-2:]
        self._canvas.lines(points, line=SOFT, width=1.5)
        along = ((x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1))
        back = (x2 - _HEAD * along[0], y2 - _HEAD * along[1])
        side = (_HEAD / 2 * along[1], _HEAD / 2 * along[0])
        corners = [(x2, y2), (back[0] + side[0], back[1] + side[1]), (back[0] - side[0], back[1] - side[1])]
        data = "M " + " L ".join(f"{x:g} {y:g}" for x, y in corners) + " Z"
        self._canvas.path(data, line=SOFT, fill=SOFT)

    def _moved(self, point: tuple[float, ...]) -> Point:
        return point[0] + self._shift[0], point[1] + self._shift[1]
