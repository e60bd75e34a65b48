"""A layout to ask: the file's own, or one that we made where it has none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from bpmn.definition import Flow, Scope, Shape
from engine.report.geometry import Box, Point
from engine.report.model.layout import lay_out

_FARTHEST: Final = 100_000.0
"""Coordinates beyond this are no drawing."""


class Layout:
    """Boxes and ways by element id."""

    def __init__(self, shapes: Mapping[str, Shape]) -> None:
        self._shapes = {id: shape for id, shape in shapes.items() if _is_sound(shape)}

    @classmethod
    def made_for(cls, scopes: Iterable[Scope]) -> Layout:
        """A layout of ours."""
        return cls({id: shape for scope in scopes for id, shape in lay_out(scope).items()})

    def draws(self, scope: Scope) -> bool:
        """Whether anything of a scope is drawn."""
        return any(self.box(id) is not None for id in scope.elements)

    def box(self, id: str) -> Box | None:
        shape = self._shapes.get(id)
        return Box(*shape.bounds) if shape is not None and len(shape.bounds) == 4 else None

    def label(self, id: str) -> Box | None:
        """Where the file places a name; None where it does not say."""
        shape = self._shapes.get(id)
        return Box(*shape.label) if shape is not None and len(shape.label) == 4 and shape.label[2] > 0 else None

    def points(self, id: str) -> tuple[Point, ...]:
        """The way of a flow, empty if it has none."""
        shape = self._shapes.get(id)
        points = () if shape is None else tuple((point[0], point[1]) for point in shape.waypoints)
        return points if len(points) > 1 else ()

    def way(self, flow: Flow) -> tuple[Point, ...]:
        """The way of a sequence flow; where it has none, straight from element to element."""
        source, target = self.box(flow.source), self.box(flow.target)
        if self.points(flow.id) or source is None or target is None:
            return self.points(flow.id)
        return (source.border(target.middle), target.border(source.middle))

    def is_inside(self, scope: Scope, holder: str) -> bool:
        """Whether what a sub-process contains is drawn in it."""
        outer = self.box(holder)
        inner = [box for id in scope.elements if (box := self.box(id)) is not None]
        return outer is not None and bool(inner) and all(outer.holds(box.middle) for box in inner)


def _is_sound(shape: Shape) -> bool:
    numbers = [*shape.bounds, *shape.label, *(number for point in shape.waypoints for number in point)]
    return all(abs(number) < _FARTHEST for number in numbers) and all(size > 0 for size in shape.bounds[2:])
