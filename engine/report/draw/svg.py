"""SVG, element by element. Whatever is put in is escaped; only what `tag` made is taken as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from markupsafe import Markup, escape

from engine.clean_text import clean
from engine.report.geometry import Box, Point

_PLAIN = re.compile(r"[\w .,:;()/#%+-]*", re.ASCII)
"""Neither markup nor anything to be cleaned."""

Value = str | float | int | None


def tag(name: str, /, *children: str, **attributes: Value) -> Markup:
    """An element. `class_` stands for `class`, `_` in a name for `-`; an attribute that is None is left out."""
    written = "".join(f' {_key(key)}="{_text(value)}"' for key, value in attributes.items() if value is not None)
    return Markup(f"<{name}{written}>{_inside(children)}</{name}>")


def join(parts: Iterable[str]) -> Markup:
    """Elements one after the other; what is no markup is escaped."""
    return Markup(_inside(parts))


def _inside(parts: Iterable[str]) -> str:
    return "".join(part if isinstance(part, Markup) else _text(part) for part in parts)


@cache
def _key(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def picture(box: Box, *children: str, title: str, **attributes: Value) -> Markup:
    """A whole `<svg>` that shows this part of the plane; `title` says what it is to those who cannot see it."""
    view = " ".join(map(number, box))
    size = {"width": box.width, "height": box.height, **attributes}
    return tag("svg", *children, viewBox=view, role="img", aria_label=title, **size)


def number(value: float) -> str:
    """A coordinate, to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


def line_through(points: Iterable[Point], radius: float = 0.0) -> str:
    """The `d` of a path along points, its bends rounded."""
    every = list(points)
    parts = [f"M{_point(every[0])}"]
    for before, bend, after in zip(every, every[1:], every[2:], strict=False):
        start, end = _near(bend, before, radius), _near(bend, after, radius)
        parts.append(f"L{_point(start)}Q{_point(bend)} {_point(end)}")
    parts.append(f"L{_point(every[-1])}")
    return "".join(parts)


def _near(bend: Point, other: Point, radius: float) -> Point:
    """The point on the way from the bend to `other` where the rounding begins."""
    dx, dy = other[0] - bend[0], other[1] - bend[1]
    length = (dx * dx + dy * dy) ** 0.5
    share = min(radius / length, 0.5) if length else 0.0
    return (bend[0] + dx * share, bend[1] + dy * share)


def _point(point: Point) -> str:
    return f"{number(point[0])},{number(point[1])}"


def _text(value: Value) -> str:
    """A drawing has tens of thousands of these, of which next to all are numbers or plain words."""
    if not isinstance(value, str):
        return number(value or 0)
    return value if _PLAIN.fullmatch(value) else str(escape(clean(value)))
