"""Cutting text short without cutting a word, a number or an identifier in two."""

from __future__ import annotations

import re

from governance.similarity.terms import CJK
from governance.summaries.characters import CJK_CLAUSE_ENDS, CJK_CLOSING, CJK_OPENING, CJK_SENTENCE_ENDS

ELLIPSIS = "…"

_HANGUL = "\uac00-\ud7af"
_SCRIPT = re.compile(f"(?![{_HANGUL}])[{CJK}]").match
"""A letter of a script that is written without spaces; Korean words are spaced."""
_NEXT_BREAK = re.compile(rf"\s|(?![{_HANGUL}])[{CJK}]")
_CJK_MARKS = frozenset(CJK_SENTENCE_ENDS + CJK_CLAUSE_ENDS + CJK_CLOSING)
_CLAUSE_ENDS = frozenset(",;:.!?") | _CJK_MARKS
_NUMERALS = frozenset("〇零一二三四五六七八九十百千万亿兩两半第")
_SIGNS = frozenset("$€£¥￥₹-+±~≈<>=")
_GOES_ON = re.compile(r"\s+(?:\d{3}(?!\d)|[^\W\d]|[%‰])").match
_AMOUNT = re.compile(r"\s*\d").match
_LOOSE_ENDS = ",;:([<" + CJK_CLAUSE_ENDS + CJK_OPENING
_CLAUSE_SHARE = 0.5
"""Part of the room that a clause must fill to be preferred to a longer piece that ends in the middle of one."""


def clip(text: str, limit: int) -> str:
    """Return ``text`` if it has at most ``limit`` code points, else its beginning and an ellipsis, within ``limit``.

    The cut is where a clause ends, or else a word. A number stays with what follows it (12 million, 30 days, 1 250),
    lest its meaning change. Where no such place is found within ``limit``, only the ellipsis is left.
    """
    if len(text) <= limit:
        return text
    head = text[: last_break(text, 0, limit - 2)].rstrip().rstrip(_LOOSE_ENDS).rstrip()
    if not head:
        return ELLIPSIS if limit > 0 else ""
    # The space tells that the last word is whole.
    return f"{head} {ELLIPSIS}" if head[-1].isascii() else head + ELLIPSIS


def last_break(text: str, start: int, end: int) -> int:
    """Return the best place after ``start`` and at most at ``end`` to end a piece of ``text``, or ``start`` if none.

    That is the last end of a clause, unless it leaves much of the room empty; then the last end of a word.
    """
    word_end = start
    for at in range(min(end, len(text) - 1), start, -1):
        if at - start < _CLAUSE_SHARE * (end - start) and word_end > start:
            break
        if _may_end(text, at):
            if text[at - 1] in _CLAUSE_ENDS:
                return at
            word_end = max(word_end, at)
    return word_end


def next_break(text: str, start: int) -> int:
    """Return the first place after ``start`` where a word ends, at most the end of ``text``."""
    found = _NEXT_BREAK.search(text, start + 1)
    return found.start() if found else len(text)


def _may_end(text: str, at: int) -> bool:
    """Tell whether ``text[:at]`` can stand alone before ``text[at:]``."""
    left, right = text[at - 1], text[at]
    if left in _SIGNS and _AMOUNT(text, at):
        return False
    number = left.isdigit() or left in _NUMERALS
    if right.isspace():
        return not left.isspace() and not (number and _GOES_ON(text, at))
    if left in _CJK_MARKS:
        return not right.isdigit()
    return not number and right not in _NUMERALS and (_SCRIPT(left) is not None or _SCRIPT(right) is not None)
