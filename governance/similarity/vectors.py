"""How like two texts are, without any corpus: hashed vectors of terms, made once per text, never refitted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from math import fsum, sqrt
from zlib import crc32

from governance.similarity.bm25 import sublinear
from governance.similarity.terms import is_value, terms

_DIMENSIONS = 1 << 20
_PAIR_WEIGHT = 0.5
"""Weight of two neighbouring terms against a single one, so that the order of words counts too."""
_OTHER_FACTS = 0.9
"""The most that two texts can be alike that differ in their values."""


@dataclass(frozen=True, slots=True)
class TextVector:
    """What is kept of a text to compare it with others."""

    weights: dict[int, float]
    """Weight by dimension (hash of a term or of two neighbouring ones); length 1, or empty without terms."""
    values: tuple[str, ...]
    """Numbers, identifiers with digits, and negations, each once, in the order in which they are named."""

    @classmethod
    def of(cls, text: str) -> TextVector:
        """Return the vector of ``text``, the same in every process."""
        found = terms(text)
        single, pairs = Counter(found), Counter(f"{first} {second}" for first, second in pairwise(found))
        weights: dict[int, float] = {}
        for counts, weight in ((single, 1.0), (pairs, _PAIR_WEIGHT)):
            for term, count in counts.items():
                dimension = crc32(term.encode("utf-8", "surrogatepass")) % _DIMENSIONS
                weights[dimension] = weights.get(dimension, 0.0) + weight * sublinear(count)
        length = sqrt(fsum(weight * weight for weight in weights.values()))
        return cls(
            weights={dimension: weight / length for dimension, weight in weights.items()},
            values=tuple(filter(is_value, single)),
        )

    def similarity(self, other: TextVector) -> float:
        """Return the likeness from 0 to 1, the same both ways: the cosine, lowered where the values differ.

        Two texts that differ in an amount, an id or a "not", or name them in another order, state different facts,
        however many words they share; they are never more than 0.9 alike.
        """
        if not self.weights or not other.weights:
            return 0.0
        if self == other:
            return 1.0
        small, large = sorted((self.weights, other.weights), key=len)
        cosine = fsum(weight * large[dimension] for dimension, weight in small.items() if dimension in large)
        if self.values == other.values:
            return min(1.0, cosine)
        mine, theirs = set(self.values), set(other.values)
        common = len(mine & theirs) / len(mine | theirs)
        return min(1.0, cosine) * _OTHER_FACTS * (1.0 + common) / 2.0


def text_similarity(a: str, b: str) -> float:
    """Return the likeness of two texts from 0 to 1, the same both ways; 1.0 for equal texts that are not empty."""
    return 1.0 if a and a == b else TextVector.of(a).similarity(TextVector.of(b))
