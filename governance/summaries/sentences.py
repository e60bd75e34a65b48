"""Where the sentences of a text are, English and Chinese mixed, with lists, headings and hard-wrapped lines."""

from __future__ import annotations

import re
from typing import NamedTuple

from governance.similarity.terms import CJK
from governance.summaries.characters import CJK_CLAUSE_ENDS, CJK_CLOSING, CJK_OPENING, CJK_SENTENCE_ENDS
from governance.summaries.clipping import last_break, next_break


class Span(NamedTuple):
    """A piece of a text by the positions of its first character and behind its last, no white space at the ends."""

    start: int
    end: int


# Runs are matched whole and judged afterwards: looking ahead from within a run takes quadratic time on hostile text.
_END = re.compile(rf"[.!?…]+[\"')\]{CJK_CLOSING}]*|[{CJK_SENTENCE_ENDS}]+[{CJK_CLOSING}]*|\n\s*")
_ABBREVIATIONS = (
    "mr mrs ms dr prof sr jr st no nr vs etc inc ltd co corp fig e.g i.e approx dept est art sec ca cf al resp incl "
    "u.s a.m p.m"
)
_ABBREVIATED = frozenset(_ABBREVIATIONS.split())
_ITEM = re.compile(r"(?:[-*+•>|#]|\d{1,3}[.)]\s)").match
_NEXT = re.compile(r"\s*(\S)").match
_IS_CJK = re.compile(f"[{CJK}]").match
_CLOSES_LINE = ".!?:;|" + CJK_SENTENCE_ENDS + CJK_CLAUSE_ENDS[1]
_WRAPPED_FROM = 50
"""A line at least this long may go on in the next one; a shorter one only if that is indented."""
_WORD_BEFORE = 12


def sentences(text: str, longest: int) -> list[Span]:
    """Return the sentences, headings, list items and lines of ``text`` in order.

    What is longer than ``longest`` code points is split at its clauses or, failing those, between its words.
    """
    spans: list[Span] = []
    start = 0
    for match in _END.finditer(text):
        end = match.start() if match.group().isspace() else match.end()
        if _is_end(text, start, match):
            spans.extend(_pieces(text, start, end, longest))
            start = match.end()
    spans.extend(_pieces(text, start, len(text), longest))
    return spans


def starts_line(text: str, span: Span) -> bool:
    """Tell whether only white space stands before the span in its line."""
    before = text[max(0, span.start - 80) : span.start]
    return not before.rpartition("\n")[2].strip()


def _is_end(text: str, start: int, match: re.Match[str]) -> bool:
    mark = match.group()
    if mark.isspace():
        return not _is_wrapped(text, start, match)
    if mark[0] in CJK_SENTENCE_ENDS:
        return True
    following = _NEXT(text, match.end())
    if following is None:
        return True
    if following.start(1) == match.end():
        # No space behind it: 3.5, example.com, or a stop before Chinese.
        return mark[0] in "!?" and _IS_CJK(following.group(1)) is not None
    if mark[0] in "!?":
        return True
    return not following.group(1).islower() and not _is_abbreviation(text, start, match)


def _is_abbreviation(text: str, start: int, match: re.Match[str]) -> bool:
    if match.group() != ".":
        return False
    before = text[max(start, match.start() - _WORD_BEFORE) : match.start()].strip()
    if before.isdigit():
        # The number of a list item: nothing stands before it.
        return match.start() - start < _WORD_BEFORE
    word = before.split()[-1].lstrip("(\"'[" + CJK_OPENING) if before else ""
    return word.lower() in _ABBREVIATED or (len(word) == 1 and word.isupper())


def _is_wrapped(text: str, start: int, match: re.Match[str]) -> bool:
    """Tell whether a line break stands within a sentence."""
    line = text[max(start, text.rfind("\n", start, match.start()) + 1) : match.start()].rstrip()
    if match.group().count("\n") > 1 or not line or match.end() >= len(text):
        return False
    indented = match.group()[-1] in " \t"
    if (len(line) < _WRAPPED_FROM and not indented) or line[-1] in _CLOSES_LINE or _ITEM(text, match.end()):
        return False
    first = text[match.end()]
    if first.islower() or (indented and first.isdigit()):
        return True
    return _IS_CJK(first) is not None and _IS_CJK(line[-1]) is not None


def _pieces(text: str, start: int, end: int, longest: int) -> list[Span]:
    pieces = []
    while start < end:
        at = end
        if end - start > longest:
            at = last_break(text, start, start + longest)
            at = at if at > start else min(end, next_break(text, start + longest))
        piece = text[start:at]
        if piece.strip():
            left = start + len(piece) - len(piece.lstrip())
            pieces.append(Span(left, start + len(piece.rstrip())))
        start = at
    return pieces


def full_stop(text: str) -> str:
    """``text`` with a full stop behind it: one, where it has one already."""
    return f"{text.rstrip().removesuffix('.')}."
