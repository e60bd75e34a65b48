"""The five dimensions of attention on five axes: at their lowest, on average and at last."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import cos, pi, sin
from typing import Final

from markupsafe import Markup

from engine.report.draw.svg import number, picture, tag
from engine.report.geometry import Box, Point
from engine.report.model.attention import Dimension
from engine.report.words import score_text
from engine.told import Say, told

_RADIUS: Final = 112.0
_CENTRE: Final[Point] = (235.0, 150.0)
_RINGS: Final = (0.2, 0.4, 0.6, 0.8, 1.0)


def draw_radar(dimensions: Sequence[Dimension], say: Say = str) -> Markup:
    """Outside is good. What is below 0 stands in the middle."""
    return picture(
        Box(0.0, 0.0, 2 * _CENTRE[0], 296.0),
        *(tag("path", d=_shape([ring] * len(dimensions)), class_="ring") for ring in _RINGS),
        *_axes(dimensions, say),
        _polygon(dimensions, lambda each: each.average, "average"),
        _polygon(dimensions, lambda each: each.last, "last"),
        _polygon(dimensions, lambda each: each.lowest, "lowest"),
        title=say(told("Five dimensions of attention: lowest, average and last")),
        class_="chart radar",
    )


def _axes(dimensions: Sequence[Dimension], say: Say) -> Iterator[Markup]:
    for index, each in enumerate(dimensions):
        x, y = _point(index, len(dimensions), 1.0)
        yield tag("line", x1=_CENTRE[0], y1=_CENTRE[1], x2=x, y2=y, class_="ring")
        far_x, far_y = _point(index, len(dimensions), 1.14)
        anchor = "middle" if abs(far_x - _CENTRE[0]) < 4 else "start" if far_x > _CENTRE[0] else "end"
        yield tag("text", say(told(each.name)), x=far_x, y=far_y + 2, text_anchor=anchor, class_="axis")
        scores = " / ".join(map(score_text, (each.lowest, each.average, each.last)))
        yield tag("text", scores, x=far_x, y=far_y + 16, text_anchor=anchor, class_="tick")


def _polygon(dimensions: Sequence[Dimension], value: Callable[[Dimension], float], class_: str) -> Markup:
    return tag("path", d=_shape([value(each) for each in dimensions]), class_=f"area {class_}")


def _shape(values: Sequence[float]) -> str:
    points = (_point(index, len(values), value) for index, value in enumerate(values))
    return "M" + "L".join(f"{number(x)},{number(y)}" for x, y in points) + "Z"


def _point(index: int, count: int, value: float) -> Point:
    angle = 2 * pi * index / count - pi / 2
    reach = _RADIUS * min(max(value, 0.0), 1.2)
    return (_CENTRE[0] + reach * cos(angle), _CENTRE[1] + reach * sin(angle))
