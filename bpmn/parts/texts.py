"""Expressions and scripts, as they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LIST: Final = "list"
MAP: Final = "map"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """Text to evaluate and the language declared for it; None: by its syntax. `line` is where the text begins.

    Of a `script` the value is that of its last line. In the languages `list` and `map` there is no text but `items`,
    those of a map keys and values in turns.
    """

    text: str
    language: str | None = None
    line: int | None = None
    script: bool = False
    items: tuple[Expression, ...] = ()

    @property
    def is_made(self) -> bool:
        """Whether it is made of others."""
        return self.language in (LIST, MAP)


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A script task's text, not indented, and its `scriptFormat`. `line` is where the text begins.

    With a `result` it is an expression, whose value goes to this variable. A `trusted` one is full Python, for a
    process of its own.
    """

    text: str
    language: str | None = None
    line: int | None = None
    result: str | None = None
    trusted: bool = False
