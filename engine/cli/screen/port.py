"""What commands write to: lines and tables of styled text, on a terminal or not."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol, TypeAlias, TypeGuard


class Style(StrEnum):
    """What a piece of text is; a terminal gives each its look."""

    STRONG = "strong"
    DIM = "dim"
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"
    NAME = "name"
    GOVERNANCE = "governance"
    PERSON = "person"
    ADDED = "added"
    REMOVED = "removed"


Span: TypeAlias = str | tuple[str, Style]
"""Text, or text with a style."""

Cell: TypeAlias = Span | Sequence[Span]
"""One field of a table. A tuple of text and style is a span; several spans come as a list."""


class Screen(Protocol):
    """Where text goes. It cleans what it is given."""

    def line(self, *spans: Span) -> None:
        """A line of its own; without spans an empty one."""
        ...

    def item(self, label: Span, *spans: Span, depth: int = 0) -> None:
        """A line with a label in a column of its own; `depth` steps further in."""
        ...

    def fact(self, name: Span, *spans: Span, width: int) -> None:
        """A line a step in, with a name in a column of `width` characters."""
        ...

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[Cell]], *, flexible: int = -1) -> None:
        """Rows under headings; a field may have several lines. Where room is short, column `flexible` is wrapped."""
        ...


def is_span(cell: Cell) -> TypeGuard[tuple[str, Style]]:
    """Whether a field is one piece of text with a style."""
    return isinstance(cell, tuple) and len(cell) == 2 and isinstance(cell[1], Style)
