"""The five dimensions of attention and their weighted sum, as pure functions (Design: attention)."""

from __future__ import annotations

from operator import mul
from typing import Final

from governance.attention.report import AttentionVector

WEIGHTS: Final = AttentionVector(capacity=0.30, duplication=0.20, knowledge=0.20, branch=0.15, conflict=0.15)
LOWEST: Final = -0.5
HIGHEST: Final = 1.0

# Weights and bands are decimal fractions, which binary floating point misses by some 1e-16: without rounding, a
# score of 0.6 by the formula can compare as less than 0.6.
_PARTS: Final = 1e9


def capacity_score(shown_chars: int, threshold: int) -> float:
    """1 for an empty WORKING layer, 0 at its threshold, negative past it. `threshold` is positive."""
    return 1.0 - shown_chars / threshold


def duplication_score(duplicated: int, entries: int) -> float:
    """The share of entries of KNOWLEDGE, HISTORY and WORKING that stand in one of these layers only."""
    return 1.0 - _share(duplicated, entries) if entries else 1.0


def knowledge_score(offered: tuple[float, float] | None) -> float:
    """Mean confidence times citation rate of the items offered; 1 where none was."""
    if offered is None:
        return 1.0
    mean_confidence, citation_rate = offered
    return mean_confidence * citation_rate


def branch_score(active: int, total: int) -> float:
    """The share of the branches still to arrive that is at work rather than waiting."""
    return _share(active, total) if total else 1.0


def conflict_score(conflicting: int, written: int) -> float:
    """The share of the keys written in branches still to merge that is free of conflict."""
    return 1.0 - _share(conflicting, written) if written else 1.0


def weighted_score(vector: AttentionVector) -> float:
    """The attention score: the weighted sum, clamped to [-0.5, 1] and free of floating-point noise."""
    total = sum(map(mul, WEIGHTS, vector))
    return rounded(min(max(total, LOWEST), HIGHEST))


def rounded(score: float) -> float:
    """`score` as it is compared with a boundary."""
    return round(score * _PARTS) / _PARTS


def _share(part: int, whole: int) -> float:
    if not 0 <= part <= whole:
        raise ValueError(f"{part} of {whole} is not a share")
    return part / whole
