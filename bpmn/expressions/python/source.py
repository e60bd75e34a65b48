"""Reading the text of a Python expression or script, and finding its parts again for messages."""

from __future__ import annotations

import ast
import textwrap
import warnings
from collections.abc import Callable
from typing import TypeVar

from bpmn.expressions.describe import shown
from bpmn.expressions.errors import InvalidSyntax
from bpmn.expressions.places import Site, Where

MAX_TEXT = 100_000
"""Characters of one expression or script."""
SHOWN = 100
"""Characters of a part that a message shows."""

Part = ast.expr | ast.stmt
Tree = TypeVar("Tree", ast.Expression, ast.Module)

_HINTS = {"&&": "and", "||": "or", "!": "not", "===": "==", "<>": "!="}


class Source:
    """One text and where it stands."""

    def __init__(self, text: str, where: Where) -> None:
        self.where = where
        # Columns count bytes of UTF-8; text that has none is refused by the parser.
        self._lines = [line.encode(errors="replace") for line in text.split("\n")]

    def site(self, part: Part, *operands: Part) -> Site:
        """The place of a part, with the texts of the values that it works on."""
        return self._site(self._text(part), part.lineno, tuple(map(self._text, operands)))

    def whole(self) -> Site:
        """The place of the text as a whole: its first line that says something."""
        numbers = range(1, len(self._lines) + 1)
        return self.line(next((number for number in numbers if self._lines[number - 1].strip()), 1))

    def line(self, number: int) -> Site:
        """The place of a whole line of the text, counted from 1."""
        line = self._lines[min(number, len(self._lines)) - 1]
        return self._site(shown(line.decode().strip(), SHOWN), number)

    def _site(self, text: str, number: int, operands: tuple[str, ...] = ()) -> Site:
        first = self.where.line
        return Site(self.where, None if first is None else first + number - 1, text, operands)

    def _text(self, part: Part) -> str:
        several = part.lineno != part.end_lineno
        end = None if several else part.end_col_offset
        # Sliced to what can be shown at most before it is decoded: a chain of comparisons is one part of many sites.
        text = self._lines[part.lineno - 1][part.col_offset : end][: 4 * SHOWN + 4].decode(errors="ignore")
        return shown(text, SHOWN) + (" ..." if several else "")


def parse_expression(text: str, where: Where) -> tuple[ast.expr, Source]:
    """Raises InvalidSyntax."""
    text = _lines(text).strip()
    try:
        return _parse_expression(text, where)
    except InvalidSyntax:
        if "\n" not in text:
            raise
    # A condition may go over several lines; Python lets an expression do so only inside brackets.
    return _parse_expression(f"({text}\n)", where)


def parse_script(text: str, where: Where) -> tuple[list[ast.stmt], Source]:
    """Raises InvalidSyntax."""
    text = textwrap.dedent(_lines(text))
    source = Source(text, where)
    return _checked(lambda: ast.parse(text), source, text, mode="exec").body, source


def _parse_expression(text: str, where: Where) -> tuple[ast.expr, Source]:
    source = Source(text, where)
    return _checked(lambda: ast.parse(text, mode="eval"), source, text, mode="eval").body, source


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _checked(parse: Callable[[], Tree], source: Source, text: str, mode: str) -> Tree:
    if len(text) > MAX_TEXT:
        raise InvalidSyntax(f"the text has {len(text)} characters", allowed=str(MAX_TEXT)).at(source.whole())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return parse()
    except SyntaxError as error:
        raise InvalidSyntax(_reason(error, text, mode)).at(source.line(error.lineno or 1)) from None
    except (RecursionError, MemoryError):
        raise InvalidSyntax("the text is nested too deep").at(source.whole()) from None
    except ValueError as error:
        raise InvalidSyntax(str(error)).at(source.whole()) from None


def _reason(error: SyntaxError, text: str, mode: str) -> str:
    if not text.strip():
        return "there is no text"
    for written, meant in _HINTS.items():
        if written in text:
            return f"{error.msg}; in Python {written} is written {meant}"
    if mode == "eval" and "=" in text.replace("==", "").replace("!=", "").replace("<=", "").replace(">=", ""):
        return f"{error.msg}; values are compared with =="
    return str(error.msg)
