"""Reading values from sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from engine.models.offline.facts import ENDS, words
from governance.similarity.index import Bm25Index
from governance.similarity.stop_words import NEGATIONS
from governance.summaries.clipping import clip

_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NUMBER: Final = re.compile(r"(?<![\w.,-])-?\d+(?:\.\d+)?(?![\w-]|[.,]\d)")
_WORD: Final = re.compile(r"[^\W\d_]+")


class Sentences:
    """Sentences that can be asked: which are near to a query, and what they say. Nearness is BM25.

    `prose` are sentences of texts in order, `lines` what reads `name: value`.
    """

    def __init__(self, prose: Sequence[str], lines: Sequence[str]) -> None:
        self._prose = prose
        self._sentences = sentences = [*prose, *lines]
        self._index = Bm25Index()
        for place, sentence in enumerate(sentences):
            self._index.add(str(place), sentence)

    def near(self, query: str) -> list[str]:
        """Sentences that share words with the query, the nearest first."""
        scores = self._scores(query)
        return [self._sentences[place] for place in sorted(scores, key=lambda place: (-scores[place], place))]

    def best(self, query: str, limit: int, most: int) -> str:
        """The nearest sentences as one text of at most `limit` code points; "" if none has to do with the query."""
        return _text(self.near(query)[:most], limit)

    def first(self, limit: int, most: int) -> str:
        """The first sentences of prose as one text; "" if there is none."""
        return _text(self._prose[:most], limit)

    def choice(self, query: str, allowed: Sequence[Any]) -> list[Any]:
        """The allowed values that sentences speak for, best first; those near to the query count more."""
        scores = self._scores(query)
        support = [self._support(words(str(value)), scores) for value in allowed]
        places = sorted(range(len(allowed)), key=lambda place: (-support[place], place))
        return [allowed[place] for place in places if support[place] > 0.0]

    def truth(self, name: str, query: str) -> list[bool]:
        """Whether the sentences with all words of the name affirm them, the nearest to the query first."""
        wanted = words(name)
        return [not _negated(sentence) for sentence in self.near(query) if wanted <= words(sentence)]

    def numbers(self, name: str, query: str) -> list[float]:
        """Numbers in sentences with a word of the name, those nearest to such a word first."""
        wanted = words(name)
        found: list[float] = []
        for sentence in self.near(query):
            plain = _THOUSANDS.sub("", sentence)
            places = [match.start() for match in _WORD.finditer(plain) if words(match.group()) & wanted]
            if places:
                numbers = sorted(_NUMBER.finditer(plain), key=lambda match: _distance(match.start(), places))
                found += [float(text) if "." in text else int(text) for text in map(re.Match.group, numbers)]
        return found

    def _scores(self, query: str) -> dict[int, float]:
        return {int(place): score for place, score in self._index.score(query).items()} if self._sentences else {}

    def _support(self, wanted: frozenset[str], scores: dict[int, float]) -> float:
        said = [(place, text) for place, text in enumerate(self._sentences) if wanted <= words(text)]
        return sum((1.0 + scores.get(place, 0.0)) * (-1 if _negated(text) else 1) for place, text in said)


def _text(sentences: Sequence[str], limit: int) -> str:
    chosen = ""
    for sentence in sentences:
        longer = f"{chosen}{' ' if chosen.endswith(ENDS) else '; '}{sentence}" if chosen else sentence
        if chosen and len(longer) > limit:
            break
        chosen = clip(longer, limit)
    return chosen


def _negated(sentence: str) -> bool:
    return not NEGATIONS.isdisjoint(words(sentence))


def _distance(place: int, places: Sequence[int]) -> int:
    return min(abs(place - other) for other in places)
