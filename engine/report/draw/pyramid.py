"""The six layers of one moment as a pyramid: each as broad as it is large, solid as far as models see it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from markupsafe import Markup

from engine.report.draw.svg import picture, tag
from engine.report.geometry import Box
from engine.report.model.growth import LayerSize, Step
from engine.told import Say, told
from governance.vocabulary import Layer

_WIDTH: Final = 420.0
_NAMES: Final = 92.0
_AMOUNTS: Final = 112.0
_ROW: Final = 26.0
_BAR: Final = 19.0


def draw_pyramid(step: Step, largest: int, title: str, say: Say = str) -> Markup:
    """A row per layer; the area of its bar is its size, `largest` characters are as broad as there is room."""
    return picture(
        Box(0.0, 0.0, _WIDTH, _ROW * len(step.layers)),
        *(
            tag("g", tag("title", say(_told(size))), *_row(size, _ROW * number, largest, say))
            for number, size in enumerate(step.layers)
        ),
        title=title,
        class_="chart pyramid",
    )


def _row(size: LayerSize, y: float, largest: int, say: Say) -> Iterator[Markup]:
    name = size.layer.value
    room = _WIDTH - _NAMES - _AMOUNTS
    middle = _NAMES + room / 2
    yield tag("text", name, x=0, y=y + 15, class_="tick")
    yield tag("text", say(_amount(size)), x=_WIDTH, y=y + 15, text_anchor="end", class_="tick")
    yield tag("line", x1=middle - 1, x2=middle + 1, y1=y + _ROW / 2, y2=y + _ROW / 2, class_="grid")
    for value, class_ in ((size.full, f"{name.lower()} full"), (size.shown, name.lower())):
        if value:
            broad = max(2.0, (value / largest) ** 0.5 * room)
            yield tag("rect", x=middle - broad / 2, y=y + 2, width=broad, height=_BAR, rx=2, class_=class_)


def _amount(size: LayerSize) -> str:
    if size.layer is Layer.EPHEMERAL:
        return told("never stored")
    if not size.full:
        return told("empty")
    if size.shown == size.full:
        return f"{size.full:,}"
    return told("{shown:,} of {full:,}", shown=size.shown, full=size.full)


def _told(size: LayerSize) -> str:
    sizes = {"shown": size.shown, "full": size.full, "tokens": size.tokens, "tokens_full": size.tokens_full}
    return told(
        "{layer}: {shown:,} of {full:,} characters, {tokens:,} of {tokens_full:,} tokens; "
        "{entries:,} entries, {archived:,} of them archived",
        layer=size.layer.value,
        entries=size.entries,
        archived=size.archived,
        **sizes,
    )
