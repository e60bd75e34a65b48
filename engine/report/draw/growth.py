"""The size of the six layers over a run, as stacked columns: pale in full, solid as shown to models."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from markupsafe import Markup

from engine.report.draw.axes import Scale, grid, steps
from engine.report.draw.lettering import width, wrap
from engine.report.draw.svg import line_through, picture, tag
from engine.report.geometry import Box
from engine.report.model.growth import Fall, Step
from engine.told import Say, told

_WIDTH: Final = 960.0
_LEFT: Final = 52.0
_TOP: Final = 34.0
_PLOT: Final = 250.0
_NAMED: Final = 26
"""Up to so many columns have names; of more, some have numbers."""
_NAME_ROOM: Final = 128.0


def draw_growth(found: Sequence[Step], name: Callable[[str], str], say: Say = str) -> Markup:
    """A column per step, with a mark where context was compressed right before it. `name` gives elements' names."""
    values = steps(max(step.full for step in found))
    up = Scale(0.0, values[-1], _TOP + _PLOT, _TOP)
    wide = (_WIDTH - _LEFT) / len(found)
    is_named = len(found) <= _NAMED
    foot = _NAME_ROOM * 0.72 if is_named else 24.0
    titles = (_title(step, name(step.element), say) for step in found)
    columns = (
        _column(step, _LEFT + wide * index, wide, up, title)
        for index, (step, title) in enumerate(zip(found, titles, strict=True))
    )
    return picture(
        Box(0.0, 0.0, _WIDTH + 4, _TOP + _PLOT + foot),
        *grid(up, values, _LEFT, _WIDTH),
        *columns,
        *_ceiling(found, wide, up),
        *(_names if is_named else _numbers)(found, wide, name),
        title=say(told("Size of the six layers after each activity, in full and as shown")),
        class_="chart growth",
    )


def _column(step: Step, x: float, wide: float, up: Scale, title: str) -> Markup:
    gap = min(6.0, wide * 0.2)
    return tag(
        "g",
        tag("title", title),
        tag("rect", x=x, y=_TOP, width=wide, height=_PLOT, class_="hover"),
        *_stack(step, x + gap / 2, wide - gap, up, full=True),
        *_stack(step, x + gap, wide - 2 * gap, up, full=False),
        *([_mark(step.falls, x + wide / 2)] if step.falls else []),
        class_="column",
    )


def _title(step: Step, name: str, say: Say) -> str:
    shown = told("{shown:,} of {full:,} characters shown", shown=step.shown, full=step.full)
    parts = [f"{step.number}. {name}: {say(shown)}"]
    for size in step.layers:
        if size.full:
            parts.append(f"{size.layer.value}: {say(told('{shown:,} of {full:,}', shown=size.shown, full=size.full))}")
    return "\n".join([*parts, *(say(_fallen(fall)) for fall in step.falls)])


def _stack(step: Step, x: float, wide: float, up: Scale, *, full: bool) -> Iterator[Markup]:
    base = 0
    for size in step.layers:
        value = size.full if full else size.shown
        if value:
            top, bottom = up(base + value), up(base)
            class_ = f"{size.layer.value.lower()}{' full' if full else ''}"
            yield tag("rect", x=x, y=top, width=wide, height=bottom - top, class_=class_)
            base += value


def _ceiling(found: Sequence[Step], wide: float, up: Scale) -> Iterator[Markup]:
    """The edge of the full sizes."""
    points = [(_LEFT + wide * (index + 0.5), up(step.full)) for index, step in enumerate(found)]
    if len(points) > 1:
        yield tag("path", d=line_through(points), class_="ceiling")


def _mark(falls: Sequence[Fall], x: float) -> Markup:
    triangle = tag("path", d=f"M{x - 6:.1f},10H{x + 6:.1f}L{x:.1f},20Z", class_="d1")
    line = tag("line", x1=x, x2=x, y1=20, y2=_TOP + _PLOT, class_="d1-line")
    return tag("g", line, triangle)


def _fallen(fall: Fall) -> str:
    form = "D1 before it, {band} band: working layer {before:,} → {after:,} characters"
    return told(form, band=told(str(fall.band)), before=fall.before, after=fall.after)


def _names(found: Sequence[Step], wide: float, name: Callable[[str], str]) -> Iterator[Markup]:
    for index, step in enumerate(found):
        x, y = _LEFT + wide * (index + 0.5) + 3, _TOP + _PLOT + 12
        text = next(iter(wrap(name(step.element), _NAME_ROOM - width("00 "), 1)), "")
        turned = f"rotate(-38 {x:.1f} {y:.1f})"
        yield tag("text", f"{step.number} {text}", x=x, y=y, text_anchor="end", transform=turned, class_="tick")


def _numbers(found: Sequence[Step], wide: float, name: Callable[[str], str]) -> Iterator[Markup]:
    every = max(1, len(found) // 20)
    for index in range(0, len(found), every):
        x = _LEFT + wide * (index + 0.5)
        yield tag("text", str(found[index].number), x=x, y=_TOP + _PLOT + 16, text_anchor="middle", class_="tick")
