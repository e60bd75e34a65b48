"""How wide text is, about, and where its lines break. No font is at hand, so widths are those of common ones."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from markupsafe import Markup

from engine.clean_text import one_line
from engine.report.draw.svg import tag

SIZE: Final = 12.0
"""Height of letters in diagrams."""
LINE: Final = 14.0
"""From line to line."""

_NARROW: Final = frozenset("iljtfrI.,:;'|!()[]{}-` /\\")
_WIDE: Final = frozenset("mwMWQGODCNHU@%&")
_LONGEST: Final = 400
_WORD: Final = re.compile(r"[^\s_/\-]+[_/\-]*|[_/\-]+|\s+")


def width(text: str, size: float = SIZE) -> float:
    """About how wide a line of text is."""
    return sum(map(_share, text)) * size


def wrap(text: str, room: float, lines: int, size: float = SIZE) -> list[str]:
    """The text in at most so many lines of at most this width; what does not fit is cut with an ellipsis."""
    wrapped: list[str] = []
    line = ""
    for piece in _pieces(one_line(text, _LONGEST), room, size):
        if line and width((line + piece).rstrip(), size) > room:
            wrapped.append(line.rstrip())
            line = piece.lstrip()
        else:
            line = line + piece if line else piece.lstrip()
    if line.strip():
        wrapped.append(line.rstrip())
    if len(wrapped) > lines:
        last = wrapped[lines - 1]
        while last and width(last + "…", size) > room:
            last = last[:-1]
        wrapped = [*wrapped[: lines - 1], last.rstrip() + "…"]
    return wrapped


def block(lines: list[str], x: float, y: float, class_: str = "label", anchor: str = "middle") -> Markup:
    """Lines of text one below the other; (x, y) is the middle of the top edge, or where `anchor` says."""
    spans = [tag("tspan", line, x=x, y=y + LINE * (number + 0.8)) for number, line in enumerate(lines)]
    return tag("text", *spans, class_=class_, text_anchor=anchor)


def _pieces(text: str, room: float, size: float) -> Iterator[str]:
    """Where lines may break: between words, after hyphens and the like, and inside of what is too long."""
    for word in _WORD.findall(text):
        while width(word, size) > room and len(word) > 1:
            fits = next((end for end in range(len(word) - 1, 1, -1) if width(word[:end], size) <= room), 1)
            yield word[:fits]
            word = word[fits:]
        yield word


def _share(char: str) -> float:
    """Of the letters' height."""
    if char in _NARROW:
        return 0.32
    if char in _WIDE:
        return 0.82
    if char.isascii():
        return 0.64 if char.isupper() else 0.55
    return 1.0 if unicodedata.east_asian_width(char) in "WF" else 0.6
