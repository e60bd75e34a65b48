"""An inverted index for BM25 that grows and shrinks one text at a time; nothing is ever refitted."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence

from governance.similarity.bm25 import K1, inverse_frequency, query_weights, saturation, sublinear, with_related
from governance.similarity.postings import Posting
from governance.similarity.terms import terms

_Factors = Sequence[tuple[Posting, float]]
_MANY_HITS = 5_000
"""From here on numpy's arrays are several times faster than a dictionary; below, its import is not worth it ..."""
_WORTH_ARRAYS = 400
"""... and once it is there, they are from here on."""


class Bm25Index:
    """Texts by id, scored for a query.

    Adding and removing cost what the text has in terms; scoring costs what the query's terms have in hits or, where
    ids are given, ids times terms of the query. Scores are a function of the texts now held, whatever was added and
    removed before.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._ids: list[str] = []
        self._lengths = array("I")
        self._terms: list[tuple[str, ...]] = []
        self._free: list[int] = []
        self._total_length = 0
        self._postings: dict[str, Posting] = {}
        self._arrays_from = _MANY_HITS

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, id: object) -> bool:
        return id in self._numbers

    def add(self, id: str, text: str, around: str = "", share: float = 0.0) -> None:
        """Add a text, in place of what ``id`` stood for before.

        It is found by the words of what stands ``around`` it, too; each counts ``share`` of one of its own.
        """
        if id in self._numbers:
            self.remove(id)
        found = terms(text)
        strengths = {term: sublinear(count) for term, count in Counter(found).items()}
        length = len(found)
        if around and share > 0.0:
            beside = terms(around)
            length += int(share * len(beside))
            for term, count in Counter(beside).items():
                strengths.setdefault(term, share * sublinear(count))
        number = self._take_number()
        self._numbers[id], self._ids[number] = number, id
        self._lengths[number], self._terms[number] = length, tuple(strengths)
        self._total_length += length
        for term, strength in strengths.items():
            posting = self._postings.get(term)
            if posting is None:
                posting = self._postings[term] = Posting()
            posting.insert(number, strength, length)

    def remove(self, id: str) -> None:
        """Remove a text. Raises ``KeyError`` if ``id`` is not held."""
        number = self._numbers.pop(id)
        for term in self._terms[number]:
            posting = self._postings[term]
            posting.delete(number)
            if not posting:
                del self._postings[term]
        self._total_length -= self._lengths[number]
        self._lengths[number], self._terms[number] = 0, ()
        self._free.append(number)

    def score(self, query: str | Iterable[str], ids: Iterable[str] | None = None) -> dict[str, float]:
        """Return the scores above zero for ``query`` (text or terms): of every text it hits, or of ``ids`` only."""
        factors = self._factors(query)
        if ids is not None:
            return self._scores_of(ids, factors)
        if _hits(factors) < self._arrays_from:
            return {self._ids[number]: score for number, score in self._scores(factors).items()}
        from governance.similarity.arrays import above_zero, sum_scores

        self._arrays_from = min(_WORTH_ARRAYS, self._arrays_from)
        found = above_zero(sum_scores(factors, self._lengths, self._average))
        return {self._ids[number]: score for number, score in found}

    def top(self, query: str | Iterable[str], limit: int, *, related: float = 0.0) -> list[tuple[str, float]]:
        """Return the ``limit`` best ids with their scores, best first, equal scores by id.

        ``related``: what a word that is used for one of the query's counts, as a share of it.

        For a query with many thousand hits this is much faster than ``score``, which looks at every hit.
        """
        if limit <= 0:
            return []
        factors = self._factors(query, related)
        if _hits(factors) < self._arrays_from:
            found: Iterable[tuple[int, float]] = self._scores(factors).items()
        else:
            from governance.similarity.arrays import top_scores

            self._arrays_from = min(_WORTH_ARRAYS, self._arrays_from)
            found = top_scores(factors, self._lengths, self._average, limit)
        ids = self._ids
        named = sorted([(-score, ids[number]) for number, score in found])
        return [(id, -score) for score, id in named[:limit]]

    @property
    def _average(self) -> float:
        return self._total_length / len(self._numbers)

    def _take_number(self) -> int:
        if self._free:
            return self._free.pop()
        self._ids.append("")
        self._terms.append(())
        self._lengths.append(0)
        return len(self._ids) - 1

    def _factors(self, query: str | Iterable[str], related: float = 0.0) -> _Factors:
        """Return each posting that the query hits, with what a full hit in it counts; the rarest first."""
        weights = query_weights(query)
        if related:
            weights = with_related(weights, related)
        weighted = [(self._postings[term], weight) for term, weight in weights.items() if term in self._postings]
        weighted.sort(key=lambda each: len(each[0]))
        total = len(self._numbers)
        return [
            (posting, weight * (K1 + 1.0) * inverse_frequency(total, len(posting))) for posting, weight in weighted
        ]

    def _scores_of(self, ids: Iterable[str], factors: _Factors) -> dict[str, float]:
        if not factors:
            return {}
        scores: dict[str, float] = {}
        for id in ids:
            number = self._numbers.get(id)
            if number is None:
                continue
            half, score = saturation(self._lengths[number], self._average), 0.0
            for posting, factor in factors:
                strength = posting.strength(number)
                score += factor * strength / (strength + half)
            if score > 0.0:
                scores[id] = score
        return scores

    def _scores(self, factors: _Factors) -> dict[int, float]:
        scores: dict[int, float] = {}
        if not factors:
            return scores
        lengths, average = self._lengths, self._average
        for posting, factor in factors:
            for number, strength in zip(posting.numbers, posting.strengths, strict=True):
                half = saturation(lengths[number], average)
                scores[number] = scores.get(number, 0.0) + factor * strength / (strength + half)
        return scores


def _hits(factors: _Factors) -> int:
    return sum(len(posting) for posting, _ in factors)
