"""What a terminal shows of what was written to it: only what our screens use, and lines broken anew on resize."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rich.cells import cell_len

_TOKEN = re.compile(r"\x1b\[(?P<args>[0-9;?]*)(?P<code>[A-Za-z])|(?P<char>.)", re.DOTALL)
_PASSED_OVER = {"m", "h", "l"}


@dataclass
class _Row:
    cells: list[str] = field(default_factory=list)
    goes_on: bool = False
    """Whether it was broken, so that the next row belongs to the same line."""


class Emulator:
    """A terminal with its scrollback. Raises AssertionError for a sequence that it does not know."""

    def __init__(self, width: int = 80, height: int = 24) -> None:
        self.width, self._height = width, height
        self._rows = [_Row()]
        self._row = self._column = 0

    def write(self, text: str) -> None:
        for token in _TOKEN.finditer(text):
            if token["char"] is None:
                self._control(token["args"], token["code"])
            elif token["char"] == "\r":
                self._column = 0
            elif token["char"] == "\n":
                self._down()
            else:
                self._put(token["char"])

    def resize(self, width: int) -> None:
        """Break lines anew, as most terminals do; the cursor stays at its letter."""
        place = sum(len(row.cells) for row in self._line_start()) + self._column
        line = sum(not row.goes_on for row in self._rows[: self._row])
        lines = [list(text) for text in self._logical()]
        self.width, self._rows = width, []
        for number, text in enumerate(lines):
            if number == line:
                row, self._column = divmod(place - 1, width) if place else (0, -1)
                self._row, self._column = len(self._rows) + row, self._column + 1
            for start in range(0, max(len(text), 1), width):
                self._rows.append(_Row(text[start : start + width], goes_on=start + width < len(text)))

    @property
    def lines(self) -> list[str]:
        """All lines, also those that went out at the top; broken ones are whole."""
        return ["".join(line).rstrip() for line in self._logical()]

    def _logical(self) -> list[list[str]]:
        lines: list[list[str]] = [[]]
        for row in self._rows:
            lines[-1] += row.cells
            if not row.goes_on:
                lines.append([])
        return lines[:-1]

    def _line_start(self) -> list[_Row]:
        start = self._row
        while start and self._rows[start - 1].goes_on:
            start -= 1
        return self._rows[start : self._row]

    def _control(self, args: str, code: str) -> None:
        if code == "A":
            self._row = max(self._row - int(args or 1), len(self._rows) - self._height, 0)
        elif (code, args) == ("K", "2"):
            self._rows[self._row] = _Row()
        elif (code, args) == ("J", ""):
            del self._rows[self._row].cells[self._column :], self._rows[self._row + 1 :]
            self._rows[self._row].goes_on = False
        else:
            assert code in _PASSED_OVER, f"an unknown sequence: {args}{code}"

    def _down(self) -> None:
        self._row, self._column = self._row + 1, 0
        if self._row == len(self._rows):
            self._rows.append(_Row())

    def _put(self, char: str) -> None:
        if self._column + cell_len(char) > self.width:
            self._rows[self._row].goes_on = True
            self._down()
        cells = self._rows[self._row].cells
        cells += [" "] * (self._column - len(cells))
        cells[self._column : self._column + 1] = [char]
        self._column += 1
