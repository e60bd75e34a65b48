"""The words of JUEL."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["name", "number", "text", "operator", "end"]

WORDS: Final[Mapping[str, str]] = {
    "and": "&&", "or": "||", "not": "!", "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "div": "/", "mod": "%", "empty": "empty",
}  # fmt: skip
"""Operators that are written as words, and what they mean."""

_TOKEN: Final = re.compile(
    r"""\s*(?:
        (?P<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)
        |(?P<name>[^\W\d]\w*)
        |(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
        |(?P<operator>&&|\|\||[=!<>]=|[-+*/%!<>?:.,()\[\]])
    )""",
    re.VERBOSE | re.DOTALL,
)


_PREFIXED: Final = re.compile(r"\b(?:var|vars|variables):$")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, with its place in the whole text."""

    kind: Kind
    text: str
    start: int
    end: int


class UnknownCharacter(ValueError):
    """A character that no word of the language begins with; `at` is its place."""

    def __init__(self, at: int, character: str) -> None:
        self.at = at
        super().__init__(f"nothing begins with {character!r}")


def tokens(text: str, start: int, end: int) -> list[Token]:
    """The words between two places of the text, and an `end`. Raises UnknownCharacter."""
    found: list[Token] = []
    at = start
    while text[at:end].strip():
        match = _TOKEN.match(text, at, end)
        if match is None:
            at += len(text[at:end]) - len(text[at:end].lstrip())
            raise UnknownCharacter(at, text[at])
        kind, word = match.lastgroup, match.group(match.lastgroup or 0)
        at = match.end()
        if kind == "name" and word in WORDS and not _is_called(text, at - len(word), at):
            kind, word = "operator", WORDS[word]
        found.append(Token(kind, word, at - len(match.group(match.lastgroup or 0)), at))  # type: ignore[arg-type]
    return [*found, Token("end", "", end, end)]


def _is_called(text: str, start: int, end: int) -> bool:
    """Whether a word is the name of a field, method or function: after a dot, or in `prefix:name(` without blanks."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before == ":" and after == "(":
        prefixed = _PREFIXED.search(text, max(0, start - 10), start) is not None
        return prefixed or (text[start - 2 : start - 1].isalnum() and text[start:end] not in ("not", "empty"))
    return before == "."


def unquoted(word: str) -> str:
    """What a quoted text says: a backslash stands before a quote or a backslash that is meant as such."""
    return re.sub(r"\\(.)", r"\1", word[1:-1], flags=re.DOTALL)
