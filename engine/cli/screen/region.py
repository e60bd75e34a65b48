"""The last rows of a terminal, drawn over and over, while other text goes by above them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TextIO

_BEGIN: Final = "\x1b[?2026h"
_END: Final = "\x1b[?2026l"
"""Around what a terminal shall show at once; one that does not know them passes over them."""
_ERASE_ROW: Final = "\x1b[2K"
_ERASE_BELOW: Final = "\x1b[J"


class Row(NamedTuple):
    """A line of text with its colours, and how many columns it takes."""

    text: str
    columns: int


class Region:
    """Draws rows at the bottom of a stream's terminal.

    Between two calls nobody else may write there. All that changes goes out in one write, and rows that stay the same
    are left alone, so that nothing flickers. Rows have to be narrower than the terminal: one that fills it would
    leave the cursor where terminals disagree about it.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._drawn: tuple[Row, ...] = ()
        self._width = 0

    def draw(self, rows: Sequence[Row], width: int, above: str = "") -> None:
        """Draw `rows` in the place of those that were drawn last. `above` is text, whole lines, that goes by.

        `width` is that of the terminal now, in columns.
        """
        is_same_place = not above and width == self._width
        if is_same_place and tuple(rows) == self._drawn:
            return
        stays = len(self._drawn) if is_same_place else 0
        parts = [_BEGIN, self._to_top(width), f"{_ERASE_BELOW}{above}" if above else ""]
        for place, row in enumerate(rows):
            parts.append("\n" if place else "")
            if place >= stays or row != self._drawn[place] or place == len(rows) - 1:
                parts.append(f"{_ERASE_ROW}{row.text}")
        self._write([*parts, _ERASE_BELOW, _END])
        self._drawn, self._width = tuple(rows), width

    def clear(self, width: int, above: str = "") -> None:
        """Take the rows away; the cursor stands where they began, after `above`."""
        parts = [self._to_top(width), _ERASE_BELOW] if self._drawn else []
        self._drawn = ()
        if parts or above:
            self._write([*parts, above])

    def _to_top(self, width: int) -> str:
        """To the first column of the first row; a terminal that became narrower has broken rows in two."""
        up = sum(max(1, -(-row.columns // width)) for row in self._drawn) - 1
        return f"\r\x1b[{up}A" if up > 0 else "\r"

    def _write(self, parts: Sequence[str]) -> None:
        self._stream.write("".join(parts))
        self._stream.flush()
