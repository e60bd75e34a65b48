"""A card that shows what an agent would be shown of a context: a bar for each variable, as long as its text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from docs.make.pictures.canvas import FAINT, INK, PAPER, SOFT, Canvas, Point
from engine.context_view import EntryView, SnapshotView
from governance.compression.bands import by_pressure
from governance.compression.settings import CompressSettings
from governance.snapshots.model import name_of
from governance.vocabulary import Band, Layer

WIDTH: Final = 126
HEIGHT: Final = 172
_ROW, _HEAD, _LABEL, _MARGIN = 14, 40, 58, 8
_LONGEST: Final = 1_700
"""Characters of the longest bar."""
_FULL, _SHORTENED = "#4c78c8", "#a9bfe6"
_LOOKS: Final = {Band.NONE: "#2e7d4f", Band.LIGHT: "#c77f00", Band.MEDIUM: "#c77f00", Band.FORCED: "#b3261e"}
_ORDER: Final = ("filed", "emails", "terms", "estimate", "summary", "cover", "damage", "notes", "payout")


class Card:
    """The WORKING layer of a snapshot, against the threshold of the activity that is to see it.

    `values` are variables of which the value itself is shown, with its colour.
    """

    def __init__(
        self, snapshot: SnapshotView, threshold: int, *, retained: tuple[str, ...], values: Mapping[str, str]
    ) -> None:
        layer = next(each for each in snapshot.layers if each.layer == Layer.WORKING)
        entries = {name_of(entry.key): entry for entry in layer.entries}
        self._entries = [entries.get(name) for name in _ORDER]
        self._pressure, self._threshold = layer.totals.chars / threshold, threshold
        self._retained, self._values = retained, values

    def draw(self, canvas: Canvas, corner: Point, line: str) -> None:
        """Draw it at its upper left corner, framed in the colour of its branch."""
        x, y = corner
        canvas.rect(corner, (WIDTH, HEIGHT), fill=PAPER, line=line, radius=6)
        look = _LOOKS[by_pressure(self._pressure, CompressSettings())]
        canvas.text((x + _MARGIN, y + 19), f"{self._pressure:.0%}", size=15, fill=look, bold=True)
        canvas.text((x + WIDTH - _MARGIN, y + 19), f"of {self._threshold:,}", size=11, anchor="end", fill=SOFT)
        room = WIDTH - 2 * _MARGIN
        canvas.rect((x + _MARGIN, y + 26), (room, 5), fill=FAINT, radius=2)
        canvas.rect((x + _MARGIN, y + 26), (room * min(1.0, self._pressure), 5), fill=look, radius=2)
        for number, entry in enumerate(self._entries):
            if entry is not None:
                self._row(canvas, (x + _MARGIN, y + _HEAD + _ROW * number), entry)

    def _row(self, canvas: Canvas, at: Point, entry: EntryView) -> None:
        (x, y), name = at, name_of(entry.key)
        is_shown = bool(entry.size.chars)
        canvas.text((x, y + 9), name, size=11, fill=INK if is_shown else "#aab4be", bold=name in self._retained)
        if name in self._values:
            canvas.text((x + _LABEL, y + 9), entry.text, size=12, fill=self._values[name], bold=True)
            return
        room = WIDTH - 2 * _MARGIN - _LABEL
        full, shown = (max(3.0, room * chars / _LONGEST) for chars in (entry.full.chars, entry.size.chars))
        if is_shown:
            canvas.rect((x + _LABEL, y + 1), (shown, 8), fill=_FULL if shown == full else _SHORTENED, radius=1)
        if not is_shown or shown != full:
            canvas.rect((x + _LABEL, y + 1), (full, 8), line="#b9c6dc", radius=1, dashed=not is_shown)

