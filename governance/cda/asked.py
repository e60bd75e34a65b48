"""What kind of answer a question asks for, and which texts can hold one (Design: CDA, QTS, intent).

Words alone find what a question speaks of; of two turns about the same thing, the one that names a day answers "when".
English and Chinese; a question of neither kind asks for no kind, and nothing changes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from typing import Final, NamedTuple


class Kind(StrEnum):
    """Kinds of answers that can be told by their form."""

    TIME = "time"
    NUMBER = "number"
    NAME = "name"
    """A person, a place, a title: what is written with a capital inside a sentence."""
    REASON = "reason"


def wanted(query: str) -> frozenset[Kind]:
    """The kinds that the questions in `query` ask for; empty if it asks none."""
    questions = " ".join(_questions(query)).lower()
    return frozenset(kind for kind, asks in _ASKS.items() if asks.search(questions)) if questions else _NONE


def held(text: str) -> frozenset[Kind]:
    """The kinds of answers that stand in `text`."""
    words = set(_WORD.findall(text.lower()))
    return frozenset(
        kind
        for kind, holds in _HOLDS.items()
        if not words.isdisjoint(holds.words) or any(form.search(text) for form in _forms(holds, text, words))
    )


def only_asks(text: str) -> bool:
    """Whether a text ends with a question: who asks seldom tells."""
    return text.rstrip(_AT_THE_END).endswith(("?", "\uff1f"))


def asking(text: str) -> float:
    """How much of a text asks, from 0 to 1: of one that ends with a question, the share of its letters in questions.

    "I moved to Graz. And you?" tells, and asks only in return.
    """
    if not only_asks(text):
        return 0.0
    sentences = _SENTENCE.findall(text.rstrip(_AT_THE_END))
    asked = sum(len(sentence) for sentence in sentences if sentence.endswith(("?", "\uff1f")))
    return asked / sum(map(len, sentences))


def of_oneself(text: str) -> bool:
    """Whether a text speaks of its speaker: "I", "my"."""
    return _OF_ONESELF.search(text) is not None


def addresses(text: str) -> bool:
    """Whether a text speaks of whom it is said to: "you", "your"."""
    return _ADDRESSES.search(text) is not None


def _forms(holds: _Holds, text: str, words: Collection[str]) -> Iterator[re.Pattern[str]]:
    """The forms that `text` may have one of: most texts have neither digits nor Chinese letters."""
    yield from holds.forms
    if holds.of_may is not None and "may" in words:
        yield holds.of_may
    if holds.digits is not None and _DIGIT.search(text):
        yield holds.digits
    if holds.chinese is not None and not text.isascii():
        yield holds.chinese


class _Holds(NamedTuple):
    """How texts that hold a kind of answer are known: by a word of them, or a form."""

    words: frozenset[str]
    forms: tuple[re.Pattern[str], ...] = ()
    of_may: re.Pattern[str] | None = None
    digits: re.Pattern[str] | None = None
    chinese: re.Pattern[str] | None = None


def _questions(query: str) -> Iterator[str]:
    """The sentences that end with a question mark; else all of it, if it begins as a question does."""
    found = False
    for sentence in _SENTENCE.findall(query[-_READ:]):
        if sentence.endswith(("?", "\uff1f")):
            found = True
            yield sentence
    if not found and _OPENS.match(query):
        yield query[:_READ]


_NONE: Final[frozenset[Kind]] = frozenset()
_AT_THE_END: Final = " \t\n\"'\u201d\u2019)"
_READ: Final = 600
"""Characters of a query that are looked at: a question is short."""
_SENTENCE: Final = re.compile(r"[^.!?\n\u3002\uff01\uff1f]+[.!?\u3002\uff01\uff1f]?")
_OPENS: Final = re.compile(
    r"\s*(?:when|where|who|whom|whose|why|how|what|which)\b"
    r"|.*(?:\u4ec0\u4e48|\u8c01|\u54ea|\u51e0|\u591a\u5c11|\u4f55)",
    re.IGNORECASE,
)
_ASKS: Final[Mapping[Kind, re.Pattern[str]]] = {
    Kind.TIME: re.compile(
        r"\bwhen\b|\b(?:what|which) (?:date|day|month|year|time|week|season)\b|\bhow long ago\b|\bsince what\b"
        r"|\u4ec0\u4e48\u65f6\u5019|\u4f55\u65f6|\u54ea[\u5929\u5e74\u6708]|\u51e0[\u70b9\u6708\u53f7]"
    ),
    Kind.NUMBER: re.compile(
        r"\bhow (?:many|much|old|far|often|long|tall|big|large|high|fast|heavy)\b"
        r"|\bwhat (?:age|number|price|amount|share)\b"
        r"|\u591a\u5c11|\u51e0|\u591a[\u957f\u8fdc\u5927\u9ad8\u4e45]"
    ),
    Kind.NAME: re.compile(
        r"\bwho(?:m|se)?\b|\bwhere\b|\bnames?\b|\b(?:named|called)\b"
        r"|\b(?:what|which) (?:city|country|place|town|state|company|person|people|team|book|band|film|movie|song)\b"
    ),
    Kind.REASON: re.compile(
        r"\bwhy\b|\breasons?\b|\bwhat (?:made|caused|motivated|inspired|prompted)\b|\u4e3a\u4ec0\u4e48|\u4e3a\u4f55"
    ),
}
_OF_ONESELF: Final = re.compile(r"\b(?:[Ii]|[Mm]y|[Mm]e|[Mm]ine|[Ww]e|[Oo]ur|[Uu]s)\b|[\u6211\u54b1\u4ffa]")
_ADDRESSES: Final = re.compile(r"\b[Yy]ou(?:r|rs)?\b|[\u4f60\u60a8]")
_DAYS: Final = "mon tues wednes thurs fri satur sun"
_MONTHS: Final = "january february march april june july august september october november december"
_TIMES: Final = (
    "yesterday today tomorrow tonight ago week weeks weekend month months year years morning evening night summer"
    " winter spring autumn fall since last next recently soon easter christmas thanksgiving"
)
_NUMBERS: Final = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half dozen"
    " once twice first second third couple"
)
_REASONS: Final = "because since so want wanted decide decided reason reasons after inspired"


_WORD: Final = re.compile(r"\w+")
_DIGIT: Final = re.compile(r"\d")
_HOLDS: Final[Mapping[Kind, _Holds]] = {
    Kind.TIME: _Holds(
        words=frozenset([*(f"{day}day" for day in _DAYS.split()), *_MONTHS.split(), *_TIMES.split()]),
        of_may=re.compile(r"\bmay \d|\b(?:in|of|since|until) may\b", re.IGNORECASE),
        digits=re.compile(r"\b(?:1[6-9]|20)\d\d\b"),
        chinese=re.compile(r"\d[\u5e74\u6708\u65e5\u53f7\u70b9]|\u661f\u671f|\u4eca\u5929|\u6628\u5929|\u660e\u5929"),
    ),
    Kind.NUMBER: _Holds(
        words=frozenset(_NUMBERS.split()),
        digits=_DIGIT,
        chinese=re.compile(r"[\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341\u767e\u5343\u4e07]"),
    ),
    Kind.NAME: _Holds(words=frozenset(), forms=(re.compile(r"(?<![.!?:\n] )(?<!^)(?<!\n)\b[A-Z][a-z]{2,}"),)),
    Kind.REASON: _Holds(
        words=frozenset(_REASONS.split()),
        forms=(re.compile(r"\b(?:so that|that's why|in order|due to)\b", re.IGNORECASE),),
        chinese=re.compile(r"\u56e0\u4e3a|\u7531\u4e8e|\u6240\u4ee5"),
    ),
}
