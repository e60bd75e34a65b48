"""Adding up scores in numpy's arrays, for queries with many hits.

Imported when such a query comes: importing numpy takes longer than all queries of a small run. The sums are made in
the same order as in a dictionary, so both ways give the same scores to the last bit.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from governance.similarity.bm25 import K1, B
from governance.similarity.postings import Posting


def sum_scores(factors: Sequence[tuple[Posting, float]], lengths: array[int], average: float) -> NDArray[np.float64]:
    """Return the score of every text number; 0.0 where no posting of ``factors`` holds it."""
    sizes = np.frombuffer(lengths, dtype=np.uintc)
    scores = np.zeros(len(lengths))
    for posting, factor in factors:
        numbers = np.frombuffer(posting.numbers, dtype=np.uintc)
        strengths = np.frombuffer(posting.strengths, dtype=np.float64)
        halves = K1 * (1.0 - B + B * sizes[numbers] / average)
        scores[numbers] += factor * strengths / (strengths + halves)
    return scores


def above_zero(scores: NDArray[np.float64]) -> list[tuple[int, float]]:
    """Return number and score of every text with a score above zero."""
    numbers = np.flatnonzero(scores)
    return list(zip(numbers.tolist(), scores[numbers].tolist(), strict=True))


def largest(scores: NDArray[np.float64], limit: int) -> list[tuple[int, float]]:
    """Return number and score of the ``limit`` best and of all that equal the last of them."""
    # The zeros go first: selecting among very many equal values takes numpy ten times as long.
    positive = scores[scores > 0.0]
    if not 0 < limit < len(positive):
        return above_zero(scores)
    least = np.partition(positive, -limit)[-limit]
    return above_zero(np.where(scores >= least, scores, 0.0))
