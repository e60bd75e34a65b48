"""The weights of BM25, and scores for sets of texts too small to keep an index for.

Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009; the inverse document
frequency is Lucene's, which is never negative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import NamedTuple

from governance.similarity.synonyms import related
from governance.similarity.terms import terms

K1 = 1.2
B = 0.75


def query_weights(query: str | Iterable[str]) -> dict[str, float]:
    """Return the weight of each distinct term of a query, given as text or as terms, in order of first occurrence."""
    counts = Counter(terms(query) if isinstance(query, str) else query)
    return {term: sublinear(count) for term, count in counts.items()}


def with_related(weights: Mapping[str, float], share: float) -> dict[str, float]:
    """The weights of a query, and those of words that are used for its own: each `share` of that, once."""
    found = dict(weights)
    for term, weight in weights.items():
        for other in sorted(related(term)):
            found[other] = max(found.get(other, 0.0), share * weight)
    return found


def sublinear(count: int) -> float:
    """Dampen a count: the tenth occurrence says less than the first."""
    return 1.0 + log(count)


def inverse_frequency(total: int, holding: int) -> float:
    """Return how much a term says that ``holding`` of ``total`` texts hold."""
    return log(1.0 + (total - holding + 0.5) / (holding + 0.5))


def saturation(length: int, average: float) -> float:
    """Return the term count at which half of a term's weight is reached in a text of ``length`` terms."""
    return K1 * (1.0 - B + B * length / average)


class Counted(NamedTuple):
    """A text as its terms: how often each stands in it, and how many there are."""

    counts: Mapping[str, int]
    length: int

    @classmethod
    def of(cls, text: str) -> Counted:
        found = terms(text)
        return cls(Counter(found), len(found))


def bm25_scores(query: str | Iterable[str], texts: Iterable[str]) -> list[float]:
    """Return the BM25 score of each text for ``query`` (text or terms); 0.0 where they share no term."""
    return counted_scores(query, [Counted.of(text) for text in texts])


def counted_scores(query: str | Iterable[str], texts: Sequence[Counted]) -> list[float]:
    """The same for texts whose terms are counted already: only the query's terms are looked up."""
    weights = query_weights(query)
    average = sum([text.length for text in texts]) / len(texts) if texts else 0.0
    found = [{term: text.counts[term] for term in weights if term in text.counts} for text in texts]
    holding = Counter(term for each in found for term in each)
    factors = {
        term: weight * (K1 + 1.0) * inverse_frequency(len(texts), holding[term]) for term, weight in weights.items()
    }
    # The order in which an index adds up, so that both come to the same score to the last bit.
    rarest_first = sorted(weights, key=holding.__getitem__)
    return [_score(text, each, average, rarest_first, factors) for text, each in zip(texts, found, strict=True)]


def _score(
    text: Counted, found: Mapping[str, int], average: float, order: Iterable[str], factors: Mapping[str, float]
) -> float:
    if not found:
        return 0.0
    half = saturation(text.length, average)
    score = 0.0
    for term in order:
        if term in found:
            frequency = sublinear(found[term])
            score += factors[term] * frequency / (frequency + half)
    return score
