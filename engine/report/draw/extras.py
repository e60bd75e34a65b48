"""What stands in a diagram beside flow nodes and flows: annotations, groups, data, and the lines that join them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from markupsafe import Markup

from engine.report.draw.lettering import LINE, block, wrap
from engine.report.draw.svg import line_through, number, tag
from engine.report.geometry import Box
from engine.report.model.extras import Extra

_FOLD: Final = 0.3
"""The folded corner of a data object, as a share of its width."""
_CURVE: Final = 0.16
"""How far a data store's ends bulge, as a share of its height."""
_BRACKET: Final = 10.0
_NAME_ROOM: Final = 110.0


def draw_extra(extra: Extra, key: str) -> Markup:
    """One artifact. `key` as in `draw_plane`: data flows end in the arrow of that plane."""
    return tag("g", *_parts(extra, key), class_=f"extra {extra.kind}")


def _parts(extra: Extra, key: str) -> Iterator[Markup]:
    if extra.points:
        arrow = f"url(#{key}-arrow)" if extra.kind == "dataAssociation" else None
        yield tag("path", d=line_through(extra.points), class_="link", marker_end=arrow)
    elif extra.box is not None and extra.kind == "textAnnotation":
        yield from _annotation(extra.box, extra.name or "")
    elif extra.box is not None and extra.kind == "group":
        yield tag("rect", x=extra.box.x, y=extra.box.y, width=extra.box.width, height=extra.box.height, rx=10)
        yield from _name(extra, extra.box.y + 4)
    elif extra.box is not None:
        outline = _store(extra.box) if extra.kind == "dataStore" else _sheet(extra.box)
        yield tag("path", d=outline)
        yield from _name(extra, extra.box.bottom + 3)


def _annotation(box: Box, text: str) -> Iterator[Markup]:
    right, bottom = number(box.x + _BRACKET), number(box.bottom)
    yield tag("path", d=f"M{right},{number(box.y)}H{number(box.x)}V{bottom}H{right}")
    lines = wrap(text, box.width - _BRACKET, max(1, int(box.height // LINE)))
    yield block(lines, box.x + _BRACKET / 2 + 2, box.y + 3, "label outside", "start")


def _name(extra: Extra, below: float) -> Iterator[Markup]:
    """Where the file places it, else beneath."""
    if not extra.name or extra.box is None:
        return
    place = extra.label
    room = max(place.width if place else 0.0, _NAME_ROOM)
    x, y = (place.middle[0], place.y) if place else (extra.box.middle[0], below)
    yield block(wrap(extra.name, room, 3), x, y, "label outside")


def _sheet(box: Box) -> str:
    fold = box.width * _FOLD
    left, top, right, bottom = number(box.x), number(box.y), number(box.right), number(box.bottom)
    corner, under = number(box.right - fold), number(box.y + fold)
    return f"M{left},{top}H{corner}L{right},{under}V{bottom}H{left}ZM{corner},{top}V{under}H{right}"


def _store(box: Box) -> str:
    across, down = number(box.width / 2), number(box.height * _CURVE)
    left, right = number(box.x), number(box.right)
    top, bottom = number(box.y + box.height * _CURVE), number(box.bottom - box.height * _CURVE)
    lid = f"M{left},{top}A{across},{down} 0 0 1 {right},{top}A{across},{down} 0 0 1 {left},{top}"
    return f"{lid}V{bottom}A{across},{down} 0 0 0 {right},{bottom}V{top}"
