"""Numbers and identifiers in text: what a summary must never change."""

from __future__ import annotations

import re

from governance.similarity.terms import CJK
from governance.summaries.characters import CJK_CLAUSE_ENDS, CJK_CLOSING, CJK_OPENING, CJK_SENTENCE_ENDS
from governance.summaries.notes import without_notes

_CJK_MARKS = CJK_SENTENCE_ENDS + CJK_CLAUSE_ENDS + CJK_CLOSING + CJK_OPENING
_LETTER = rf"[^\W{CJK}]"
_TOKEN = re.compile(
    rf"""
    [a-zA-Z][a-zA-Z0-9+.-]{{0,19}}://(?={_LETTER})[^\s<>"'(){_CJK_MARKS}{CJK}]+    # URL
    | [a-zA-Z0-9._+-]{{1,64}}@[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+                    # e-mail address
    | (?:(?<![\w)\]])-(?=\d))?                                   # sign, not the dash of a range
      {_LETTER}+(?:(?:[-./]|(?<=\d):(?=\d)|(?<=\d),(?=\d{{3}}(?!\d))){_LETTER}+)*
    """,
    re.VERBOSE,
)
_TRAILING = ".,;:!?-]}|…"
"""What may stand behind a URL but is no part of it."""
_HUMP = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_DOTTED = re.compile(r"[A-Za-z]{2}\.[A-Za-z]{2}")
_LABEL = re.compile(r"[^\s=;]+ = |^[^\s:]+:$", re.MULTILINE)
_BRACES = re.compile(r"\{[^{}]{0,2000}\}")
_INNER_KEY = re.compile(r"(?<=[{ ])[^\s{},:]+: ")


def identifiers(text: str) -> list[str]:
    """Return the numbers and identifiers of ``text``, each once, in order.

    Numbers, dates, times, and tokens with a digit, an underscore, a hump (``orderId``), a dot (``cart.py``), an
    e-mail address or a URL. Thousands separators are taken out: ``12,500`` is ``12500``.
    """
    found: dict[str, None] = {}
    for match in _TOKEN.finditer(text):
        token = match.group().rstrip(_TRAILING)
        if _identifies(token):
            found[_normal(token)] = None
    return list(found)


def keeps_identifiers(source_selection: str, rewritten: str) -> list[str]:
    """Return the numbers and identifiers of a selection that a rewriting of it lacks, in order; empty if it keeps all.

    Of a fact sheet the values count, not the keys, which a rewriting may put into words; nor does a summary's own note
    ("… 12 of 40 rows left out").
    """
    kept = set(identifiers(rewritten))
    values = _LABEL.sub(" ", _BRACES.sub(_without_keys, without_notes(source_selection)))
    return [token for token in identifiers(values) if token not in kept]


def _without_keys(braces: re.Match[str]) -> str:
    return _INNER_KEY.sub(" ", braces.group())


def _identifies(token: str) -> bool:
    if any(map(str.isdigit, token)) or "_" in token.strip("_") or "@" in token or "://" in token:
        return True
    return _HUMP.search(token) is not None or _DOTTED.search(token) is not None


def _normal(token: str) -> str:
    return re.sub(r"(?<=\d),(?=\d)", "", token) if "," in token else token
