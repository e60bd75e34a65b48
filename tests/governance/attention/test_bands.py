"""What a score asks for, at every boundary and between them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.attention.bands import band_floor, health_of, suggest_action
from governance.attention.dimensions import weighted_score
from governance.attention.report import AttentionVector, Health
from governance.vocabulary import Band, SuggestedAction

BANDS = [
    (0.8, 1.0, Health.HEALTHY, SuggestedAction.CONTINUE),
    (0.6, 0.8, Health.WATCH, SuggestedAction.LIGHT_COMPRESS),
    (0.4, 0.6, Health.WARNING, SuggestedAction.MODERATE_COMPRESS),
    (0.2, 0.4, Health.DANGER, SuggestedAction.FORCED_COMPRESS_AND_HUMAN),
    (-0.5, 0.2, Health.EMERGENCY, SuggestedAction.PAUSE_AND_HUMAN),
]


@pytest.mark.parametrize(("low", "high", "health", "action"), BANDS)
@given(data=st.data())
def test_a_band_holds_from_its_lower_boundary_to_below_its_upper(
    low: float, high: float, health: Health, action: SuggestedAction, data: st.DataObject
) -> None:
    top = high if high == 1.0 else high - 1e-8
    score = data.draw(st.one_of(st.just(low), st.just(top), st.floats(low, top)))
    assert (health_of(score), suggest_action(score)) == (health, action)


@pytest.mark.parametrize("boundary", [0.8, 0.6, 0.4, 0.2])
def test_noise_below_a_boundary_is_on_it_and_a_billionth_is_not(boundary: float) -> None:
    assert suggest_action(math.nextafter(boundary, 0)) is suggest_action(boundary)
    assert suggest_action(boundary - 1e-9).rank == suggest_action(boundary).rank + 1


@pytest.mark.parametrize(
    "vector",
    [(0.6, 0.6, 0.6, 0.6, 0.6), (0.2, 1.0, 1.0, 0.6, 0.3333333333333333), (0.0, 1.0, 0.5, 1.0, 1.0)],
)
def test_a_score_of_0_6_by_the_formula_is_in_the_band_from_0_6(vector: tuple[float, ...]) -> None:
    score = weighted_score(AttentionVector(*vector))
    assert score == 0.6
    assert suggest_action(score) is SuggestedAction.LIGHT_COMPRESS


@pytest.mark.parametrize(
    ("action", "band"),
    [
        (SuggestedAction.CONTINUE, Band.NONE),
        (SuggestedAction.LIGHT_COMPRESS, Band.LIGHT),
        (SuggestedAction.MODERATE_COMPRESS, Band.MEDIUM),
        (SuggestedAction.FORCED_COMPRESS_AND_HUMAN, Band.FORCED),
        (SuggestedAction.PAUSE_AND_HUMAN, Band.FORCED),
    ],
)
def test_an_action_is_a_floor_under_the_band_of_d1(action: SuggestedAction, band: Band) -> None:
    assert band_floor(action) is band
