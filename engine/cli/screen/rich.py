"""Text on a terminal, in colour, wrapped under itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TextIO

from rich import box
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from engine.clean_text import clean
from engine.cli.screen.plain import LABEL, STEP
from engine.cli.screen.port import Cell, Span, Style, is_span

_LOOKS: Final = {
    Style.STRONG: "bold",
    Style.DIM: "bright_black",
    Style.GOOD: "green",
    Style.WARN: "yellow",
    Style.BAD: "bold red",
    Style.NAME: "bold cyan",
    Style.GOVERNANCE: "magenta",
    Style.PERSON: "bold blue",
    Style.ADDED: "green underline",
    Style.REMOVED: "red strike",
}

_SHARE: Final = 4
"""The flexible column of a table has this part of the width at least: a quarter."""


class RichScreen:
    """A `Screen` on a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._console = Console(file=stream, highlight=False, markup=False, emoji=False)

    def line(self, *spans: Span) -> None:
        self._print(styled(list(spans)))

    def item(self, label: Span, *spans: Span, depth: int = 0) -> None:
        self._in_columns(styled(label), Padding(styled(list(spans)), (0, 0, 0, STEP * depth)), LABEL, gap=1)

    def fact(self, name: Span, *spans: Span, width: int) -> None:
        told = styled(name)
        told.pad_left(STEP)
        self._in_columns(told, styled(list(spans)), STEP + width, gap=2)

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[Cell]], *, flexible: int = -1) -> None:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
        wrapped = flexible % len(columns)
        fields = [[styled(cell) for cell in row] for row in rows]
        is_narrow = self._left_for(wrapped, columns, fields) < self._console.width // _SHARE
        for place, column in enumerate(columns):
            # Where the others would leave nothing of the flexible column, all are wrapped.
            wraps = is_narrow or place == wrapped
            table.add_column(column, no_wrap=not wraps, overflow="fold" if wraps else "ellipsis")
        for row in fields:
            table.add_row(*row)
        self._print(table)

    def _in_columns(self, left: Text, right: RenderableType, width: int, *, gap: int) -> None:
        """Two columns, the first so wide; what does not fit in the second goes on under itself."""
        grid = Table.grid(padding=(0, gap, 0, 0))
        grid.add_column(width=width, no_wrap=True)
        grid.add_column(overflow="fold")
        grid.add_row(left, right)
        self._print(grid)

    def _left_for(self, flexible: int, columns: Sequence[str], rows: Sequence[Sequence[Text]]) -> int:
        """How wide a column can be if the others get what they need; no less than that where it needs little."""
        needs = [
            max([len(column), *(line.cell_len for row in rows for line in row[place].split())]) + 1
            for place, column in enumerate(columns)
        ]
        left = self._console.width - sum(needs) + needs[flexible]
        return self._console.width if left >= needs[flexible] else left

    def _print(self, renderable: RenderableType) -> None:
        self._console.print(renderable)


def styled(cell: Cell) -> Text:
    """A field in the looks of its spans, cleaned."""
    if isinstance(cell, str):
        return Text(clean(cell))
    if is_span(cell):
        return Text(clean(cell[0]), style=_LOOKS[cell[1]])
    return Text.assemble(*(styled(span) for span in cell))
