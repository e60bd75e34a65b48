"""Adding up scores in numpy's arrays, for queries with many hits.

Imported when such a query comes: importing numpy takes longer than all queries of a small run. The sums are made in
the same order as in a dictionary, so both ways give the same scores to the last bit.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from governance.similarity.bm25 import K1, B, saturation
from governance.similarity.postings import Posting


def sum_scores(factors: Sequence[tuple[Posting, float]], lengths: array[int], average: float) -> NDArray[np.float64]:
    """Return the score of every text number; 0.0 where no posting of ``factors`` holds it."""
    sizes = np.frombuffer(lengths, dtype=np.uintc)
    scores = np.zeros(len(lengths))
    for posting, factor in factors:
        numbers = np.frombuffer(posting.numbers, dtype=np.uintc)
        strengths = np.frombuffer(posting.strengths, dtype=np.float64)
        scores[numbers] += _parts(strengths, sizes[numbers], factor, average)
    return scores


def above_zero(scores: NDArray[np.float64]) -> list[tuple[int, float]]:
    """Return number and score of every text with a score above zero."""
    numbers = np.flatnonzero(scores > 0.0)
    return list(zip(numbers.tolist(), scores[numbers].tolist(), strict=True))


def top_scores(
    factors: Sequence[tuple[Posting, float]], lengths: array[int], average: float, limit: int
) -> list[tuple[int, float]]:
    """Return number and score of the ``limit`` best texts and of all that equal the last of them.

    ``factors`` come rarest first. What has none of the rare terms is not looked at once all the common ones together
    could not lift it among the best (MaxScore: Turtle and Flood, Query evaluation: strategies and optimizations, 1995).
    """
    sizes, left = np.frombuffer(lengths, dtype=np.uintc), _left_after(factors, average)
    scores, at, many = np.zeros(0), 0, 4 * limit
    best = np.zeros(0, dtype=np.intp)
    while at < len(factors):
        first, hits = at, 0
        while at < len(factors) and (hits < many or left[at] >= left[-1] - left[at]):
            hits += len(factors[at][0])
            at += 1
        scores = _added(factors[first:at], sizes, average, scores)
        best, many = np.flatnonzero(scores > 0.0), 2 * hits
        if len(best) >= limit and _least(scores[best], limit) > left[at - 1]:
            break
    for (posting, factor), rest in zip(factors[at:], left[at - 1 :], strict=False):
        best = _among(best, scores[best], limit, rest)
        _add_to(scores, best, posting, factor, sizes, average)
    best = _among(best, scores[best], limit, 0.0)
    return list(zip(best.tolist(), scores[best].tolist(), strict=True))


def _added(
    factors: Sequence[tuple[Posting, float]], sizes: NDArray[np.uintc], average: float, scores: NDArray[np.float64]
) -> NDArray[np.float64]:
    """``scores`` by text number, and what these terms add to them, in their order."""
    numbers = np.concatenate([np.frombuffer(posting.numbers, dtype=np.uintc) for posting, _ in factors])
    strengths = np.concatenate([np.frombuffer(posting.strengths, dtype=np.float64) for posting, _ in factors])
    factor = np.repeat([factor for _, factor in factors], [len(posting) for posting, _ in factors])
    parts = _parts(strengths, sizes[numbers], factor, average)
    known = np.flatnonzero(scores > 0.0)
    if len(known):
        numbers, parts = np.concatenate([known, numbers]), np.concatenate([scores[known], parts])
    return np.bincount(numbers, weights=parts, minlength=len(sizes)).astype(np.float64, copy=False)


def _add_to(
    scores: NDArray[np.float64],
    best: NDArray[np.intp],
    posting: Posting,
    factor: float,
    sizes: NDArray[np.uintc],
    average: float,
) -> None:
    """Add a term to the scores of ``best`` at least: of few each is looked up, for many it is quicker to do all."""
    numbers = np.frombuffer(posting.numbers, dtype=np.uintc)
    strengths = np.frombuffer(posting.strengths, dtype=np.float64)
    if len(best) * _LOOKED_UP < len(numbers):
        places = np.minimum(np.searchsorted(numbers, best), len(numbers) - 1)
        hit = numbers[places] == best
        numbers, strengths = best[hit], strengths[places[hit]]
    scores[numbers] += _parts(strengths, sizes[numbers], factor, average)


def _left_after(factors: Sequence[tuple[Posting, float]], average: float) -> list[float]:
    """The most that the terms after each can add to a score, a little more for rounding; at the end, what all can."""
    most = [
        factor * posting.strongest / (posting.strongest + saturation(posting.shortest, average)) * _ROUNDED_UP
        for posting, factor in factors
    ]
    left, total = [], 0.0
    for each in reversed(most):
        left.append(total)
        total += each
    return [*reversed(left), total]


def _parts(
    strengths: NDArray[np.float64], sizes: NDArray[np.uintc], factor: float | NDArray[np.float64], average: float
) -> NDArray[np.float64]:
    """What terms add to the scores of texts with these lengths that hold them that strongly."""
    halves = K1 * (1.0 - B + B * sizes / average)
    parts: NDArray[np.float64] = factor * strengths / (strengths + halves)
    return parts


def _among(best: NDArray[np.intp], values: NDArray[np.float64], limit: int, rest: float) -> NDArray[np.intp]:
    """Those of ``best`` that can still be among the ``limit`` best when ``rest`` is added to some."""
    return best if len(best) <= limit else best[values + rest >= _least(values, limit)]


def _least(values: NDArray[np.float64], limit: int) -> float:
    """The ``limit``-th best of at least as many values."""
    return float(np.partition(values, -limit)[-limit])


_LOOKED_UP = 6
"""How many terms of a posting can be added in the time that one text is looked up in it."""
_ROUNDED_UP = 1.0 + 1e-9
