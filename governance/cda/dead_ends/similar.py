"""Texts of one bucket that are nearly the same as another, found by their rarest features."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import sqrt
from typing import Final

from governance.similarity.vectors import TextVector

_MOST_CANDIDATES: Final = 200
"""So many are compared at most, the newest first: a look costs the same however many there are."""


_GRAM: Final = 3


@dataclass(frozen=True, slots=True)
class Likeness:
    """What is kept of a text: what it says, and how it is written.

    Words alone are not enough: a search for `"Wallace and Gromit"`, in quotes, may find nothing where one without
    finds it. Nor are letters: an order 17 is not an order 18.
    """

    terms: TextVector
    grams: dict[str, float]
    """Runs of three characters, of length 1 as a vector."""

    @classmethod
    def of(cls, text: str) -> Likeness:
        padded = f"  {text.casefold()}  "
        counts = Counter(padded[i : i + _GRAM] for i in range(len(padded) - _GRAM + 1))
        length = sqrt(sum(count * count for count in counts.values()))
        return cls(TextVector.of(text), {gram: count / length for gram, count in counts.items()})

    def similarity(self, other: Likeness) -> float:
        """From 0 to 1, the same both ways: the lower of the two."""
        said = self.terms.similarity(other.terms)
        small, large = sorted((self.grams, other.grams), key=len)
        return min(said, sum(weight * large.get(gram, 0.0) for gram, weight in small.items()))


class SimilarTexts:
    """Texts by id.

    Two vectors of length 1 that share none of the features which carry 1 - s² of the one's weight are less than s
    alike; so it is enough to look up features, the rarest first, until that much weight has been looked up.
    """

    def __init__(self) -> None:
        self._vectors: dict[str, Likeness] = {}
        self._holding: dict[int, dict[str, None]] = {}

    def add(self, id: str, text: str) -> None:
        if id in self._vectors:
            self.remove(id)
        vector = self._vectors[id] = Likeness.of(text)
        for feature in vector.terms.weights:
            self._holding.setdefault(feature, {})[id] = None

    def remove(self, id: str) -> None:
        vector = self._vectors.pop(id, None)
        for feature in vector.terms.weights if vector is not None else ():
            holding = self._holding[feature]
            del holding[id]
            if not holding:
                del self._holding[feature]

    def like(self, text: str, least: float) -> list[tuple[float, str]]:
        """(similarity, id) of those at least so alike, the most alike first, then the newest."""
        wanted = Likeness.of(text)
        scored = ((wanted.similarity(self._vectors[id]), id) for id in self._candidates(wanted, least))
        return sorted((pair for pair in scored if pair[0] >= least), key=lambda pair: -pair[0])

    def _candidates(self, wanted: Likeness, least: float) -> list[str]:
        held = {feature: len(self._holding.get(feature, ())) for feature in wanted.terms.weights}
        by_rarity = sorted(wanted.terms.weights.items(), key=lambda item: (held[item[0]], item[0]))
        found: dict[str, None] = {}
        seen = 0.0
        for feature, weight in by_rarity:
            if seen > 1.0 - least * least or len(found) >= _MOST_CANDIDATES:
                break
            for id in reversed(self._holding.get(feature, {})):
                found[id] = None
                if len(found) >= _MOST_CANDIDATES:
                    break
            seen += weight * weight
        return list(found)
