"""Directions are vectors: how a text becomes one. The default hashes terms; a model may take its place.

Vectors are sparse, of length 1, by dimension; a model's dense vector is one too. Design: CDA, direction ("embedding is
an interface; default hashing with BM25 weighting, incremental").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, sqrt
from typing import Protocol
from zlib import crc32

from governance.similarity.bm25 import inverse_frequency, sublinear
from governance.similarity.terms import terms

Vector = Mapping[int, float]
_DIMENSIONS = 1 << 20


class Embedding(Protocol):
    """Turns a text into a vector of length 1, or an empty one for a text that says nothing."""

    @property
    def semantic(self) -> bool:
        """Whether likeness means more than shared words, so that it is worth asking beside the index."""
        ...

    def learn(self, text: str) -> None:
        """Take note of a text that is now in the memory."""
        ...

    def embed(self, text: str) -> Vector: ...

    def index(self) -> VectorIndex | None:
        """An empty index for its vectors; None where it is not semantic."""
        ...


class VectorIndex(Protocol):
    """Vectors by number, asked for the nearest."""

    def add(self, number: int, vector: Vector) -> None: ...

    def top(self, vector: Vector, limit: int) -> Sequence[tuple[int, float]]:
        """Number and cosine of the nearest, best first."""
        ...


class HashingEmbedding:
    """Terms hashed to dimensions, weighted by how rare they are among the texts learned so far."""

    semantic = False

    def __init__(self) -> None:
        self._holding: Counter[str] = Counter()
        self._total = 0

    def learn(self, text: str) -> None:
        self._holding.update(set(terms(text)))
        self._total += 1

    def embed(self, text: str) -> Vector:
        weights: dict[int, float] = {}
        for term, count in Counter(terms(text)).items():
            dimension = crc32(term.encode("utf-8", "surrogatepass")) % _DIMENSIONS
            rarity = inverse_frequency(self._total, min(self._total, self._holding[term]))
            weights[dimension] = weights.get(dimension, 0.0) + sublinear(count) * (_LEAST + rarity)
        return unit(weights)

    def index(self) -> None:
        """None: the words themselves are indexed already."""


_LEAST = 0.1
"""What a term counts that every text holds."""


def unit(vector: Vector) -> Vector:
    """`vector` at length 1; an empty one stays empty."""
    length = sqrt(fsum(weight * weight for weight in vector.values()))
    return {at: weight / length for at, weight in vector.items()} if length > 0.0 else {}


def dot(one: Vector, other: Vector) -> float:
    """The cosine of two vectors of length 1."""
    small, large = (one, other) if len(one) <= len(other) else (other, one)
    return fsum(weight * large[at] for at, weight in small.items() if at in large)


def mixed(parts: Iterable[tuple[float, Vector]]) -> Vector:
    """The weighted sum of vectors, at length 1; parts without material leave their weight to the others."""
    total: dict[int, float] = {}
    for weight, vector in parts:
        for at, value in vector.items():
            total[at] = total.get(at, 0.0) + weight * value
    return unit(total)
