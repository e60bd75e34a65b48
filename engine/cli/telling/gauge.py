"""How full a context is, as a bar."""

from __future__ import annotations

from typing import Final

from engine.cli.screen.port import Span, Style
from governance.compression.bands import by_pressure
from governance.compression.settings import CompressSettings
from governance.vocabulary import Band

_WIDTH: Final = 10
_SETTINGS: Final = CompressSettings()
_LOOKS: Final = {Band.NONE: Style.GOOD, Band.LIGHT: Style.WARN, Band.MEDIUM: Style.WARN, Band.FORCED: Style.BAD}


def gauge(pressure: float) -> list[Span]:
    """A bar that is full at the threshold, in the colour of the band, and the number."""
    full = min(_WIDTH, round(pressure * _WIDTH))
    look = _LOOKS[by_pressure(pressure, _SETTINGS)]
    return [("█" * full, look), ("░" * (_WIDTH - full), Style.DIM), (f" {pressure:4.0%}", look)]


def count(number: int) -> str:
    """A number with its thousands apart."""
    return f"{number:,}"


def several(number: int, noun: str, plural: str | None = None) -> str:
    """`1 branch`, `2 branches`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
