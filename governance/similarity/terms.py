"""Terms: what texts are compared by.

Words become stems without stop words, identifiers stay whole and are split too, numbers stay, and Chinese, Japanese
and Korean runs become bigrams of characters. Design: CDA, direction (the default embedding).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from governance.similarity.stemming import stem
from governance.similarity.stop_words import NEGATIONS, STOP_WORDS

CJK = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
"""Chinese, Japanese and Korean letters, as ranges for a character class: scripts without spaces, and Hangul."""
_FIRST_CJK = "\u3005"
_WORD = rf"[^\W{CJK}]+"
_TOKEN = re.compile(rf"[{CJK}]+|{_WORD}(?:(?:[-./@'\u2019]|(?<=\d)[:,](?=\d)){_WORD})*")
_IS_CJK = re.compile(f"[{CJK}]").match
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ASCII_PARTS = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_OTHER_PARTS = re.compile(r"[^\W\d_]+|\d+")
_CLITIC = re.compile(r"['\u2019](?:s|ll|re|ve|d|m)$", re.IGNORECASE)
_NOT = re.compile(r"n['\u2019]t$", re.IGNORECASE)
_CJK_NEGATIONS = frozenset("不没沒未無无非")
_REMEMBERED = 10_000
"""Characters; longer texts are not kept here."""
_LONGEST = 64
"""Longer runs (keys, encoded data) are known by their first characters only."""


def terms(text: str) -> list[str]:
    """Return the terms of ``text`` in order, each as often as it stands there; stop words give none.

    ``"the orderId of A-17"`` gives ``["orderid", "order", "id", "a-17"]``.
    """
    return list(_terms(text) if len(text) <= _REMEMBERED else _split(text))


@lru_cache(maxsize=16)
def _terms(text: str) -> tuple[str, ...]:
    """A text that comes in is asked for its terms by several, one after the other."""
    return tuple(_split(text))


def _split(text: str) -> list[str]:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    found: list[str] = []
    for token in _TOKEN.findall(text):
        if token[0] >= _FIRST_CJK and _IS_CJK(token):
            found.extend([token[i : i + 2] for i in range(len(token) - 1)] or [token])
        elif len(token) <= _LONGEST:
            found.extend(_expand(token))
        else:
            for word in re.findall(_WORD, token):
                found.extend(_expand(word[:_LONGEST]))
    return found


def is_value(term: str) -> bool:
    """Tell whether a fact hangs on ``term``: a number, an identifier with digits, a negation."""
    if term in NEGATIONS or any(map(str.isdigit, term)):
        return True
    return len(term) == 2 and not _CJK_NEGATIONS.isdisjoint(term)


@lru_cache(maxsize=1 << 16)
def _expand(token: str) -> tuple[str, ...]:
    """Return the terms of one word, number or identifier of at most ``_LONGEST`` characters."""
    if _NOT.search(token):
        return ("not",)
    token = _THOUSANDS.sub("", _CLITIC.sub("", token))
    parts = (_ASCII_PARTS if token.isascii() else _OTHER_PARTS).findall(token)
    if len(parts) == 1 and parts[0] == token:
        return _word(token.lower())
    expanded = [token.lower()]
    for part in parts:
        if part.isdigit():
            expanded.extend([part] if len(part) > 2 else [])
        elif len(part) > 1:
            expanded.extend(_word(part.lower()))
    return tuple(expanded)


def _word(word: str) -> tuple[str, ...]:
    if word in STOP_WORDS:
        return ()
    if word.isascii() and word.isalpha() and len(word) > 2 and word not in NEGATIONS:
        return (stem(word),)
    return (word,)
