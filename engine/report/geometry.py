"""Points and boxes of drawings, in the diagram's own units, y downwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import dist
from typing import NamedTuple

Point = tuple[float, float]


class Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> Point:
        return (self.x + self.width / 2, self.y + self.height / 2)

    def holds(self, point: Point) -> bool:
        return self.x <= point[0] <= self.right and self.y <= point[1] <= self.bottom

    def meets(self, other: Box) -> bool:
        """Whether the two have any area in common."""
        return (
            self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom
        )

    def moved(self, dx: float, dy: float) -> Box:
        return Box(self.x + dx, self.y + dy, self.width, self.height)

    def border(self, towards: Point) -> Point:
        """Where a line from the middle to a point outside leaves the box."""
        (x, y), (to_x, to_y) = self.middle, towards
        dx, dy = to_x - x, to_y - y
        reach = max(abs(dx) / (self.width / 2), abs(dy) / (self.height / 2))
        return self.middle if not reach else (x + dx / reach, y + dy / reach)


def middle_of(points: Sequence[Point]) -> Point:
    """The point half way along."""
    stretches = list(pairwise(points))
    left = sum(map(_length, stretches)) / 2
    for start, end in stretches:
        length = _length((start, end))
        if left <= length and length:
            share = left / length
            return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
        left -= length
    return points[-1]


def _length(stretch: tuple[Point, Point]) -> float:
    return dist(*stretch)


def around(boxes: Iterable[Box], points: Iterable[Point] = (), margin: float = 0.0) -> Box:
    """The box around all of these; an empty one at the origin where there is nothing."""
    every = list(boxes)
    xs = [*(box.x for box in every), *(box.right for box in every)]
    ys = [*(box.y for box in every), *(box.bottom for box in every)]
    for x, y in points:
        xs.append(x)
        ys.append(y)
    left, top = min(xs, default=0.0) - margin, min(ys, default=0.0) - margin
    return Box(left, top, max(xs, default=0.0) + margin - left, max(ys, default=0.0) + margin - top)
