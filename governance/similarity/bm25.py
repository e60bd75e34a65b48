"""The weights of BM25, and scores for sets of texts too small to keep an index for.

Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009; the inverse document
frequency is Lucene's, which is never negative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log

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


def bm25_scores(query: str | Iterable[str], texts: Sequence[str]) -> list[float]:
    """Return the BM25 score of each text for ``query`` (text or terms); 0.0 where they share no term."""
    weights = query_weights(query)
    documents = [terms(text) for text in texts]
    average = sum(map(len, documents)) / len(documents) if documents else 0.0
    counts = [Counter(term for term in document if term in weights) for document in documents]
    holding = Counter(term for count in counts for term in count)
    factors = {
        term: weight * (K1 + 1.0) * inverse_frequency(len(texts), holding[term]) for term, weight in weights.items()
    }
    # The order in which an index adds up, so that both come to the same score to the last bit.
    rarest_first = sorted(weights, key=holding.__getitem__)
    scores = []
    for document, count in zip(documents, counts, strict=True):
        half = saturation(len(document), average) if count else 0.0
        score = 0.0
        for term in rarest_first:
            if term in count:
                frequency = sublinear(count[term])
                score += factors[term] * frequency / (frequency + half)
        scores.append(score)
    return scores
