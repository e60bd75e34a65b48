"""Shows what changed in a text, word by word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.cli.screen.port import Span, Style
from governance.human_loop.diff import Hunk, word_diff

_AROUND: Final = 60
"""Characters of unchanged text that are shown beside a change."""


def text_diff(before: str, after: str, *, numbered: bool = False) -> list[Span]:
    """The text after, with what was removed and added; long stretches that did not change are left out.

    `numbered`: each change with its number, by which it can be taken, where there are several.
    """
    return hunk_spans(before, word_diff(before, after), numbered=numbered)


def hunk_spans(before: str, hunks: Sequence[Hunk], *, numbered: bool = False) -> list[Span]:
    """The same, from hunks of `before`."""
    return list(_spans(before, hunks, numbered and len(hunks) > 1))


def _spans(before: str, hunks: Sequence[Hunk], numbered: bool) -> Iterator[Span]:
    place = 0
    for number, hunk in enumerate(hunks):
        yield _unchanged(before[place : hunk.start], first=number == 0)
        if numbered:
            yield f"[{number + 1}]", Style.DIM
        if hunk.removed:
            yield hunk.removed, Style.REMOVED
        if hunk.added:
            yield hunk.added, Style.ADDED
        place = hunk.end
    yield _unchanged(before[place:], first=not hunks, last=True)


def _unchanged(text: str, *, first: bool = False, last: bool = False) -> str:
    left = "" if first else text[:_AROUND]
    right = "" if last else text[-_AROUND:]
    if first and last and len(text) > 2 * _AROUND:
        return f"{text[:_AROUND]} … "
    return text if len(text) <= len(left) + len(right) + 5 else f"{left} … {right}"
