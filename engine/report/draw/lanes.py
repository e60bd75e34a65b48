"""One row of the branches' graph. Rows of any height follow each other: lines go on to the lower edge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from markupsafe import Markup

from engine.report.draw.svg import number, tag
from engine.report.model.branches import Crossing, Line

_LANE: Final = 16.0
_NODE: Final = 17.0
"""How far below the upper edge the node is."""
_BEND: Final = 34.0
_COLOURS: Final = 6


def draw_crossing(crossing: Crossing, lanes: int, kind: str) -> Markup:
    """The row's node, the lanes that pass it, and those that begin and end at it. Hidden from readers of text."""
    return tag(
        "svg",
        *(part for line in crossing.lines for part in _line(line)),
        *(_fork(crossing.lane, lane) for lane in crossing.forks),
        *(_join(lane, crossing.lane) for lane in crossing.joins),
        _node(_x(crossing.lane), kind),
        class_="lanes",
        width=_LANE * lanes + 6,
        aria_hidden="true",
    )


def _line(line: Line) -> Iterator[Markup]:
    x = _x(line.lane)
    class_ = f"lane-{line.lane % _COLOURS}{' waits' if line.waits else ''}"
    if line.above and line.below:
        yield tag("line", x1=x, x2=x, y1=0, y2="100%", class_=class_)
    elif line.above:
        yield tag("line", x1=x, x2=x, y1=0, y2=_NODE, class_=class_)
    elif line.below:
        yield tag("line", x1=x, x2=x, y1=_NODE, y2="100%", class_=class_)


def _fork(source: int, target: int) -> Markup:
    start, end = _x(source), _x(target)
    curve = f"M{number(start)},{_NODE}C{number(end)},{_NODE} {number(end)},{_NODE} {number(end)},{_BEND}"
    rest = tag("line", x1=end, x2=end, y1=_BEND, y2="100%")
    return tag("g", tag("path", d=curve), rest, class_=f"lane-{target % _COLOURS}")


def _join(source: int, target: int) -> Markup:
    start, end = _x(source), _x(target)
    curve = f"M{number(start)},0C{number(start)},{_NODE} {number(start)},{_NODE} {number(end)},{_NODE}"
    return tag("path", d=curve, class_=f"lane-{source % _COLOURS}")


def _node(x: float, kind: str) -> Markup:
    """D1 is a funnel, D2 and D3 are triangles that open and close, people are squares, all else is a dot."""
    y = _NODE
    shapes = {
        "D1": f"M{x - 6:.1f},{y - 5}H{x + 6:.1f}L{x:.1f},{y + 6}Z",
        "D2": f"M{x:.1f},{y - 6}L{x + 6.5:.1f},{y + 5}H{x - 6.5:.1f}Z",
        "D3": f"M{x - 6:.1f},{y}L{x:.1f},{y - 6}L{x + 6:.1f},{y}L{x:.1f},{y + 6}Z",
        "person": f"M{x - 5:.1f},{y - 5}H{x + 5:.1f}V{y + 5}H{x - 5:.1f}Z",
    }
    if kind in shapes:
        return tag("path", d=shapes[kind], class_=f"node-{kind.lower()}")
    return tag("circle", cx=x, cy=y, r=3 if kind == "gateway" else 4.5, class_=f"node-{kind}")


def _x(lane: int) -> float:
    return 9 + _LANE * lane
