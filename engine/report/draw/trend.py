"""The attention score over a run, on the bands that say what it asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from markupsafe import Markup

from engine.report.draw.axes import Scale
from engine.report.draw.svg import line_through, picture, tag
from engine.report.geometry import Box, Point
from engine.report.model.attention import DIMENSIONS, Attention, Measure
from engine.report.words import score_text
from engine.told import Say, told
from governance.attention.report import Health

_WIDTH: Final = 960.0
_LEFT: Final = 40.0
_RIGHT: Final = 880.0
_TOP: Final = 10.0
_HEIGHT: Final = 220.0
_BANDS: Final = (
    (0.8, 1.0, Health.HEALTHY),
    (0.6, 0.8, Health.WATCH),
    (0.4, 0.6, Health.WARNING),
    (0.2, 0.4, Health.DANGER),
    (-0.5, 0.2, Health.EMERGENCY),
)
_MOST_DOTS: Final = 150
"""Up to so many measures have a dot each."""


def draw_trend(found: Attention, name: Callable[[str], str], say: Say = str) -> Markup:
    """A dot per measuring over bands of health."""
    low = -0.5 if found.lowest.score < 0 else 0.0
    up = Scale(low, 1.0, _TOP + _HEIGHT, _TOP)
    along = Scale(1.0, float(max(len(found.measures), 2)), _LEFT + 10, _RIGHT - 10)
    points = [(along(float(each.number)), up(each.score)) for each in found.measures]
    return picture(
        Box(0.0, 0.0, _WIDTH, _TOP + _HEIGHT + 26),
        *_bands(up, low, say),
        tag("path", d=line_through(points), class_="score") if len(points) > 1 else "",
        *_dots(found, points, name, say),
        *_ticks(found.measures, along),
        title=say(told("Attention score at each measuring")),
        class_="chart trend",
    )


def _bands(up: Scale, low: float, say: Say) -> Iterator[Markup]:
    for start, end, health in _BANDS:
        top, bottom = up(end), up(max(start, low))
        yield tag(
            "rect", x=_LEFT, y=top, width=_RIGHT - _LEFT, height=bottom - top, class_=f"band-{health.value}"
        )
        yield tag("text", say(told(health.value)), x=_RIGHT + 8, y=(top + bottom) / 2 + 4, class_="tick")
        yield tag("text", f"{end:.1f}", x=_LEFT - 6, y=top + 4, text_anchor="end", class_="tick")


def _dots(
    found: Attention, points: Sequence[Point], name: Callable[[str], str], say: Say
) -> Iterator[Markup]:
    lowest = found.lowest
    for measure, (x, y) in zip(found.measures, points, strict=True):
        if measure is lowest or len(points) <= _MOST_DOTS:
            class_ = "dot lowest" if measure is lowest else "dot"
            yield tag("circle", tag("title", _told(measure, name, say)), cx=x, cy=y, r=4, class_=class_)
    x, y = points[lowest.number - 1]
    anchor = "start" if x < _WIDTH / 2 else "end"
    text = say(told("lowest {score}, {element}", score=score_text(lowest.score), element=name(lowest.element)))
    yield tag("text", text, x=x + (8 if anchor == "start" else -8), y=y + 18, text_anchor=anchor, class_="note")


def _told(measure: Measure, name: Callable[[str], str], say: Say) -> str:
    parts = "\n".join(f"{say(told(DIMENSIONS[key][0]))} {score_text(value)}" for key, value in measure.vector.items())
    health = say(told(measure.health.value))
    return f"{measure.number}. {name(measure.element)}: {score_text(measure.score)}, {health}\n{parts}"


def _ticks(measures: Sequence[Measure], along: Scale) -> Iterator[Markup]:
    every = max(1, len(measures) // 20)
    for measure in measures[::every]:
        x = along(float(measure.number))
        yield tag("text", str(measure.number), x=x, y=_TOP + _HEIGHT + 18, text_anchor="middle", class_="tick")
