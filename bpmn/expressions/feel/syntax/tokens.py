"""Text to tokens (DMN 1.5, 10.3.1.2, rules 21 to 31, and 10.3.1.5)."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

TokenKind = Literal["number", "string", "at", "word", "quoted", "symbol", "end"]

_START: Final = (
    r"A-Za-z_\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C-\u200D\u2070-\u218F"
    r"\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\U00010000-\U000EFFFF"
)
_PART: Final = _START + r"0-9\u00B7\u0300-\u036F\u203F-\u2040"
_SPACE: Final = r"[\t-\r \u0085\u00A0\u1680\u180E\u2000-\u200B\u2028\u2029\u202F\u205F\u3000\uFEFF]"
_STRING: Final = r'"(?:[^"\\]|\\.)*"'
_TOKEN: Final = re.compile(
    rf"(?:{_SPACE}|//[^\n]*|/\*.*?\*/)*"
    rf"(?:(?P<number>(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)"
    rf"|(?P<at>@{_STRING})|(?P<string>{_STRING})"
    rf"|(?P<word>[{_START}][{_PART}]*|\?)|`(?P<quoted>[^`\n]+)`"
    # Any other character is a sign too: designers allow more in names than the standard does.
    r"|(?P<symbol>\*\*|\.\.|<=|>=|!=|->|[^\"@`\s])|(?P<end>\Z))",
    re.DOTALL | re.ASCII,
)
_HEX: Final = "[0-9a-fA-F]"
_ESCAPE: Final = re.compile(
    rf"\\(?:u([dD][89abAB]{_HEX}{{2}})\\u([dD][c-fC-F]{_HEX}{{2}})|u({_HEX}{{4}})|U({_HEX}{{6}})|(.))", re.DOTALL
)
_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "'": "'", "\\": "\\"}


class Token(NamedTuple):
    """`text` is as written; of a string and an at literal, what it stands for. `spaced`: something is before it."""

    kind: TokenKind
    text: str
    start: int
    end: int
    spaced: bool


class Unreadable(Exception):
    """A character at `position` that begins no token."""

    def __init__(self, position: int) -> None:
        self.position = position
        super().__init__(position)


def tokens_of(text: str) -> list[Token]:
    """All tokens, the last of kind `end`. Raises Unreadable."""
    found: list[Token] = []
    position = 0
    while True:
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            raise Unreadable(position)
        kind: TokenKind = match.lastgroup  # type: ignore[assignment]
        start, end = match.span(kind)
        written = match[kind]
        if kind == "string":
            written = unescaped(written[1:-1])
        elif kind == "at":
            written = unescaped(written[2:-1])
        elif kind == "quoted":
            start, end = start - 1, end + 1
        found.append(Token(kind, written, start, end, start > position))
        if kind == "end":
            return found
        position = end


def unescaped(text: str) -> str:
    """A string literal's text; a backslash before a character that needs none stays, as regular expressions want."""
    return _ESCAPE.sub(_escape, text) if "\\" in text else text


def _escape(match: re.Match[str]) -> str:
    high, low, short, long, single = match.groups()
    if single is not None:
        return _ESCAPES.get(single, f"\\{single}")
    if high is not None:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
    value = int(short or long, 16)
    return chr(value) if value < 0x110000 and not 0xD800 <= value < 0xE000 else match[0]
