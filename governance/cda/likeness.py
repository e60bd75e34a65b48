"""Which entries say nearly the same, or nearly the same with another value (SCG edges `similar`, `contradicts`)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from itertools import islice
from math import fsum
from typing import NamedTuple

from governance.similarity.vectors import TextVector

_ALIKE = 0.82
"""The sources' default threshold for "the same direction"."""
_COMPARED = 4
_REMEMBERED = 2_000


class Alike(NamedTuple):
    degree: float
    contradicts: bool


class Likeness:
    """Compares a new text with a few earlier ones; of the last two thousand texts, and made when one is compared."""

    def __init__(self) -> None:
        self._texts: OrderedDict[int, str | TextVector] = OrderedDict()

    def add(self, number: int, text: str, candidates: Iterable[int]) -> Iterator[tuple[int, Alike]]:
        """The earlier texts among the first few `candidates` that the new one is like."""
        others = list(dict.fromkeys(islice(candidates, _COMPARED)))
        self._texts[number] = text
        if len(self._texts) > _REMEMBERED:
            self._texts.popitem(last=False)
        for other in others:
            known = self._vector(other)
            vector = self._vector(number)
            found = None if known is None or vector is None else _compared(vector, known)
            if found is not None:
                yield other, found

    def _vector(self, number: int) -> TextVector | None:
        found = self._texts.get(number)
        if isinstance(found, str):
            found = self._texts[number] = TextVector.of(found)
        return found


def _compared(one: TextVector, other: TextVector) -> Alike | None:
    small, large = sorted((one.weights, other.weights), key=len)
    cosine = min(1.0, fsum(weight * large[at] for at, weight in small.items() if at in large))
    if one.values == other.values:
        return Alike(cosine, False) if cosine >= _ALIKE else None
    # The values are terms too: where they differ, the words around them must say the same all the more.
    bare = cosine + (1.0 - cosine) * _share_of_values(one, other)
    return Alike(bare, True) if cosine >= _ALIKE / 2 and bare >= _ALIKE else None


def _share_of_values(one: TextVector, other: TextVector) -> float:
    """The share of both texts' weight that their differing values have, about."""
    differing = len(set(one.values) ^ set(other.values))
    return min(1.0, 3.0 * differing / (len(one.weights) + len(other.weights)))
