"""The five scores and their sum: the formulas, the empty cases, and nothing lost to floating point."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.attention import dimensions
from governance.attention.report import AttentionVector

shares = st.integers(0, 1000).map(lambda thousandths: thousandths / 1000)


@given(st.integers(0, 10**7), st.integers(1, 10**6))
def test_capacity_falls_with_what_is_shown_and_is_negative_past_the_threshold(shown: int, threshold: int) -> None:
    score = dimensions.capacity_score(shown, threshold)
    assert score == pytest.approx(float(1 - Fraction(shown, threshold)))
    assert (score < 0) == (shown > threshold)


@given(st.integers(0, 50), st.integers(0, 50))
def test_duplication_branch_and_conflict_are_shares(part: int, rest: int) -> None:
    whole = part + rest
    share = part / whole if whole else None
    assert dimensions.duplication_score(part, whole) == (1 if share is None else 1 - share)
    assert dimensions.branch_score(part, whole) == (1 if share is None else share)
    assert dimensions.conflict_score(part, whole) == (1 if share is None else 1 - share)


@pytest.mark.parametrize("score", [dimensions.duplication_score, dimensions.branch_score, dimensions.conflict_score])
@pytest.mark.parametrize(("part", "whole"), [(2, 1), (-1, 3)])
def test_more_than_there_is_is_refused(score: object, part: int, whole: int) -> None:
    assert callable(score)
    with pytest.raises(ValueError, match="is not a share"):
        score(part, whole)


@given(shares, shares)
def test_knowledge_is_mean_confidence_times_citation_rate(confidence: float, rate: float) -> None:
    assert dimensions.knowledge_score((confidence, rate)) == confidence * rate


def test_knowledge_nobody_was_offered_is_no_fault() -> None:
    assert dimensions.knowledge_score(None) == 1
    assert dimensions.knowledge_score((0.9, 0.0)) == 0


def test_the_weights_sum_to_one() -> None:
    assert dimensions.weighted_score(AttentionVector(1, 1, 1, 1, 1)) == 1
    assert dimensions.weighted_score(AttentionVector(0, 0, 0, 0, 0)) == 0


def test_the_published_vector_scores_0_675() -> None:
    assert dimensions.weighted_score(AttentionVector(0.50, 0.70, 0.80, 0.90, 0.60)) == 0.675


def test_the_sum_is_clamped() -> None:
    assert dimensions.weighted_score(AttentionVector(-100, 1, 1, 1, 1)) == -0.5
    assert dimensions.weighted_score(AttentionVector(2, 1, 1, 1, 1)) == 1


@given(st.integers(-3000, 1000), st.tuples(*[st.integers(0, 1000)] * 4))
def test_the_sum_is_the_decimal_one(capacity: int, others: tuple[int, int, int, int]) -> None:
    """Binary noise of weights and scores never shows: the sum is what the formula gives in decimal arithmetic."""
    thousandths = [capacity, *others]
    weights = [Decimal(weight) for weight in ("0.30", "0.20", "0.20", "0.15", "0.15")]
    exact = sum((weight * value / 1000 for weight, value in zip(weights, thousandths, strict=True)), Decimal(0))
    clamped = min(max(exact, Decimal("-0.5")), Decimal(1))
    assert dimensions.weighted_score(AttentionVector(*(value / 1000 for value in thousandths))) == float(clamped)
