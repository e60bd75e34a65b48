"""What charts share: scales, rounded steps, grid lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor, log10

from markupsafe import Markup

from engine.report.draw.svg import tag


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values `low` to `high` on coordinates `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        span = self.high - self.low
        return self.start if not span else self.start + (value - self.low) / span * (self.end - self.start)


def steps(high: float, count: int = 5) -> list[float]:
    """Round numbers from 0 up to at least `high`, about `count` of them."""
    if high <= 0:
        return [0.0, 1.0]
    rough = high / count
    unit = 10.0 ** floor(log10(rough))
    size = next((unit * factor for factor in (1, 2, 2.5, 5) if unit * factor >= rough), unit * 10)
    number = int(-(-high // size))
    return [size * index for index in range(number + 1)]


def grid(scale: Scale, values: list[float], left: float, right: float) -> Iterator[Markup]:
    """Horizontal lines with their values."""
    for value in values:
        y = scale(value)
        yield tag("line", x1=left, x2=right, y1=y, y2=y, class_="grid")
        yield tag("text", brief(value), x=left - 6, y=y + 4, text_anchor="end", class_="tick")


def brief(value: float) -> str:
    """`12k`, `1.5M`."""
    for size, name in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.1f}".removesuffix(".0") + name
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"
