"""Text on a terminal, in colour, wrapped under itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TextIO

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from engine.cli.screen.clean import clean
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


class RichScreen:
    """A `Screen` on a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._console = Console(file=stream, highlight=False, markup=False, emoji=False)

    def line(self, *spans: Span) -> None:
        self._console.print(_text(list(spans)))

    def item(self, label: Span, *spans: Span, depth: int = 0) -> None:
        grid = Table.grid(padding=(0, 1, 0, 0))
        grid.add_column(width=LABEL, no_wrap=True)
        grid.add_column()
        grid.add_row(_text(label), Padding(_text(list(spans)), (0, 0, 0, STEP * depth)))
        self._console.print(grid)

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[Cell]], *, flexible: int = -1) -> None:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
        wrapped = flexible % len(columns)
        for place, column in enumerate(columns):
            table.add_column(column, no_wrap=place != wrapped, overflow="fold" if place == wrapped else "ellipsis")
        for row in rows:
            table.add_row(*map(_text, row))
        self._console.print(table)


def _text(cell: Cell) -> Text:
    if isinstance(cell, str):
        return Text(clean(cell))
    if is_span(cell):
        return Text(clean(cell[0]), style=_LOOKS[cell[1]])
    return Text.assemble(*(_text(span) for span in cell))
