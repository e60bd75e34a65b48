"""Two texts as one, in pieces that stand in both, in the first only, or in the second only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from engine.clean_text import clean
from engine.report.words import cut
from governance.human_loop.diff import word_diff

_COMPARED: Final = 6_000
"""Longer texts are cut before they are compared, since comparing costs more than their length."""
_AROUND: Final = 160
"""Of a long stretch that did not change, what is shown at each end."""

Kind = Literal["same", "removed", "added", "left out"]


@dataclass(frozen=True, slots=True)
class Piece:
    kind: Kind
    text: str


def pieces(before: str | None, after: str | None) -> list[Piece]:
    """What turns `before` into `after`, word by word; None stands for nothing there."""
    if before is None or after is None:
        kind: Kind = "added" if before is None else "removed"
        text = after if before is None else before
        return [Piece(kind, cut(text))] if text else []
    return list(_pieces(cut(before, _COMPARED), cut(after, _COMPARED)))


def _pieces(before: str, after: str) -> Iterator[Piece]:
    place = 0
    hunks = word_diff(before, after)
    for hunk in hunks:
        yield from _same(before[place : hunk.start], first=place == 0)
        if hunk.removed:
            yield Piece("removed", clean(hunk.removed))
        if hunk.added:
            yield Piece("added", clean(hunk.added))
        place = hunk.end
    yield from _same(before[place:], first=place == 0, last=True)


def _same(text: str, *, first: bool, last: bool = False) -> Iterator[Piece]:
    """A stretch that did not change; of a long one the ends that stand beside changes."""
    if len(text) <= 2 * _AROUND + 40:
        if text:
            yield Piece("same", text)
        return
    if not first:
        yield Piece("same", text[:_AROUND])
    yield Piece("left out", "…")
    if not last:
        yield Piece("same", text[-_AROUND:])
