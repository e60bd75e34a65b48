"""Vectors of a model by number, and the ones nearest to another; grows one at a time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

_FIRST_ROWS = 256


class DenseIndex:
    """Cosines with every vector held: a query costs their count times their length, a millisecond or two for 10,000."""

    def __init__(self, dimensions: int) -> None:
        self._rows = np.zeros((_FIRST_ROWS, dimensions), dtype=np.float32)
        self._numbers: list[int] = []

    def add(self, number: int, vector: Mapping[int, float]) -> None:
        """Keep a vector of length 1 under a number."""
        at = len(self._numbers)
        if at == len(self._rows):
            self._rows = np.vstack([self._rows, np.zeros_like(self._rows)])
        self._rows[at, list(vector)] = list(vector.values())
        self._numbers.append(number)

    def top(self, vector: Mapping[int, float], limit: int) -> list[tuple[int, float]]:
        """Number and cosine of the nearest, best first; equal ones by number."""
        asked = np.zeros(self._rows.shape[1], dtype=np.float32)
        asked[list(vector)] = list(vector.values())
        scores = self._rows[: len(self._numbers)] @ asked
        best = np.argsort(-scores, kind="stable")[:limit]
        return [(self._numbers[at], float(scores[at])) for at in best.tolist()]
