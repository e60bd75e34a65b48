"""Finds places for names beside events, gateways and flows, where they cover as little as possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from engine.report.draw.lettering import LINE, width, wrap
from engine.report.geometry import Box, Point

_CELL: Final = 120.0
_ROOMS: Final = (96.0, 60.0)
_LATER: Final = 0.3
"""What a place is worse than the one before it."""
_FLOW_ROOM: Final = 84.0
_LINES: Final = 4
_THIN: Final = 2.0
_SHARED: Final = 7.0
"""What a place that the file gives may cover: lines, but no node and no other name."""


@dataclass(frozen=True, slots=True)
class Label:
    """Lines of text in their place."""

    lines: list[str]
    box: Box


class Labels:
    """Places labels one by one; each keeps clear of what was put down before. Cost: what is near."""

    def __init__(self) -> None:
        self._near: dict[tuple[int, int], list[tuple[Box, float]]] = {}

    def put_down(self, box: Box, weight: float) -> None:
        """Something that labels should not cover."""
        for cell in _cells(box):
            self._near.setdefault(cell, []).append((box, weight))

    def put_down_line(self, points: Sequence[Point], weight: float = 2.0) -> None:
        for start, end in pairwise(points):
            for x, y, to_x, to_y in _straight(start, end):
                left, top = min(x, to_x) - _THIN, min(y, to_y) - _THIN
                self.put_down(Box(left, top, abs(to_x - x) + 2 * _THIN, abs(to_y - y) + 2 * _THIN), weight)

    def placed(self, lines: Sequence[str], place: Box | None) -> Label | None:
        """A name where the file places it; None where it does not say, or where another stands there already."""
        if place is None:
            return None
        wrapped = [line for text in lines for line in wrap(text, max(place.width, _ROOMS[1]), _LINES)]
        wide, high = _size(wrapped)
        box = Box(place.middle[0] - wide / 2, place.y, wide, high)
        if self._covered(box) > _SHARED:
            return None
        self.put_down(box, 8.0)
        return Label(wrapped, box)

    def beside(self, name: str, box: Box) -> Label:
        """The name of an event or gateway: below it, above it, or at a side."""
        places = []
        for room in _ROOMS:
            lines = wrap(name, room, _LINES)
            places += [(lines, place) for place in _around(box, _size(lines))]
        return self._best(places)

    def along(self, lines: Sequence[str], points: Sequence[Point]) -> Label:
        """The name of a flow: at its begin, at its longest stretch, elsewhere."""
        wrapped = [line for text in lines for line in wrap(text, _FLOW_ROOM, 3)]
        return self._best([(wrapped, place) for place in _beside_line(points, _size(wrapped))])

    def _best(self, places: Sequence[tuple[list[str], Box]]) -> Label:
        """The place that covers least, the earlier of two that cover the same."""
        costs = [self._covered(box) + _LATER * rank for rank, (_, box) in enumerate(places)]
        lines, box = places[costs.index(min(costs))]
        self.put_down(box, 8.0)
        return Label(lines, box)

    def _covered(self, box: Box) -> float:
        found = {id(entry): entry for cell in _cells(box) for entry in self._near.get(cell, ())}
        return sum(weight for other, weight in found.values() if box.meets(other))


def _size(lines: Sequence[str]) -> Point:
    return (max(map(width, lines), default=0.0) + 4, LINE * len(lines) + 2)


def _around(box: Box, size: Point) -> Iterator[Box]:
    (x, y), (wide, high) = box.middle, size
    yield Box(x - wide / 2, box.bottom + 3, wide, high)
    yield Box(x - wide / 2, box.y - high - 3, wide, high)
    yield Box(box.right + 2, box.y - high + 8, wide, high)
    yield Box(box.right + 2, box.bottom - 8, wide, high)
    yield Box(box.x - wide - 2, box.y - high + 8, wide, high)
    yield Box(box.x - wide - 2, box.bottom - 8, wide, high)
    yield Box(x - wide / 2, box.bottom + 22, wide, high)
    yield Box(x - wide / 2, y - high - box.height, wide, high)


def _beside_line(points: Sequence[Point], size: Point) -> Iterator[Box]:
    """Beside each stretch: the first one, then the others by their length."""
    stretches = list(pairwise(points))
    by_length = sorted(stretches, key=lambda stretch: -_length(stretch))
    for number, (start, end) in enumerate([stretches[0], *by_length]):
        share = min(0.5, 30 / (_length((start, end)) or 1)) if number == 0 else 0.5
        x, y = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
        wide, high = size
        if abs(end[0] - start[0]) >= abs(end[1] - start[1]):
            left = x - wide / 2 if number else min(start[0], end[0]) + 4 if end[0] > start[0] else start[0] - wide - 4
            yield Box(left, y - high - 2, wide, high)
            yield Box(left, y + 3, wide, high)
        else:
            yield Box(x + 5, y - high / 2, wide, high)
            yield Box(x - wide - 5, y - high / 2, wide, high)


def _length(stretch: tuple[Point, Point]) -> float:
    (x, y), (to_x, to_y) = stretch
    return abs(to_x - x) + abs(to_y - y)


def _straight(start: Point, end: Point) -> Iterable[tuple[float, float, float, float]]:
    """A slanting stretch in pieces, so that the boxes around them are small."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    pieces = 1 if not dx or not dy else max(1, int(min(abs(dx), abs(dy)) // 12))
    for piece in range(pieces):
        begin, stop = piece / pieces, (piece + 1) / pieces
        yield start[0] + dx * begin, start[1] + dy * begin, start[0] + dx * stop, start[1] + dy * stop


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    for column in range(int(box.x // _CELL), int(box.right // _CELL) + 1):
        for row in range(int(box.y // _CELL), int(box.bottom // _CELL) + 1):
            yield (column, row)
