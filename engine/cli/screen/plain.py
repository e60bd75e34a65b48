"""Text without colour or box: for files, pipes and logs. One thing is one line, however long."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final, TextIO

from engine.clean_text import clean
from engine.cli.screen.port import Cell, Span, Style, is_span

LABEL: Final = 9
"""Characters of the labels' column."""
STEP: Final = 2
"""Characters that a step further in takes."""
_MARKS: Final = {Style.ADDED: "{{+{}+}}", Style.REMOVED: "[-{}-]"}
"""As `git diff --word-diff` marks them; other styles only decorate."""


class PlainScreen:
    """A `Screen` on a stream."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def line(self, *spans: Span) -> None:
        self._write("".join(map(_text, spans)))

    def item(self, label: Span, *spans: Span, depth: int = 0) -> None:
        text = "".join(map(_text, spans))
        self._write(f"{_text(label):<{LABEL}} {' ' * (STEP * depth)}{text}")

    def fact(self, name: Span, *spans: Span, width: int) -> None:
        self._write(f"{' ' * STEP}{_text(name):<{width}}  {''.join(map(_text, spans))}")

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[Cell]], *, flexible: int = -1) -> None:
        fields = [[clean(_text(cell)).split("\n") for cell in row] for row in [[c.upper() for c in columns], *rows]]
        widths = [max(len(part) for row in fields for part in row[place]) for place in range(len(columns))]
        for row in fields:
            for parts in zip_longest(*row, fillvalue=""):
                self._write("  ".join(f"{part:<{width}}" for part, width in zip(parts, widths, strict=True)))

    def _write(self, text: str) -> None:
        self._stream.write(clean(text).rstrip() + "\n")
        self._stream.flush()


def _text(cell: Cell) -> str:
    if isinstance(cell, str):
        return cell
    if is_span(cell):
        return _MARKS.get(cell[1], "{}").format(cell[0])
    return "".join(map(_text, cell))
