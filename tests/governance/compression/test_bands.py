from __future__ import annotations

import pytest
from pydantic import ValidationError

from governance.compression.bands import band_of
from governance.compression.settings import CompressSettings
from governance.vocabulary import Band
from tests.governance.compression.contexts import Context, line_of, request

SETTINGS = CompressSettings()


@pytest.mark.parametrize(
    ("chars", "band"),
    [
        (0, Band.NONE),
        (7_199, Band.NONE),
        (7_200, Band.LIGHT),
        (9_599, Band.LIGHT),
        (9_600, Band.MEDIUM),
        (12_000, Band.MEDIUM),
        (12_001, Band.FORCED),
    ],
)
def test_pressure_bands_begin_exactly_where_the_table_says(chars: int, band: Band) -> None:
    assert band_of(chars / 12_000, 0.0, Band.NONE, SETTINGS) is band


@pytest.mark.parametrize(
    ("tokens", "band"),
    [
        (69_999, Band.NONE),
        (70_000, Band.MEDIUM),
        (84_999, Band.MEDIUM),
        (85_000, Band.FORCED),
        (120_000, Band.FORCED),
    ],
)
def test_usage_bands_begin_exactly_where_the_table_says(tokens: int, band: Band) -> None:
    assert band_of(0.0, tokens / 100_000, Band.NONE, SETTINGS) is band


@pytest.mark.parametrize("threshold", [7, 10, 333, 1_000, 12_000, 99_990])
def test_boundaries_are_exact_for_every_threshold(threshold: int) -> None:
    for chars in range(max(0, threshold // 2), threshold + 3, max(1, threshold // 500)):
        expected = (
            Band.NONE
            if chars * 10 < threshold * 6
            else Band.LIGHT
            if chars * 10 < threshold * 8
            else Band.MEDIUM
            if chars <= threshold
            else Band.FORCED
        )
        assert band_of(chars / threshold, 0.0, Band.NONE, SETTINGS) is expected, chars


@pytest.mark.parametrize(
    ("pressure", "usage", "band"),
    [(0.65, 0.70, Band.MEDIUM), (0.65, 0.85, Band.FORCED), (1.1, 0.70, Band.FORCED), (0.9, 0.1, Band.MEDIUM)],
)
def test_the_stronger_of_pressure_and_usage_wins(pressure: float, usage: float, band: Band) -> None:
    assert band_of(pressure, usage, Band.NONE, SETTINGS) is band


@pytest.mark.parametrize(
    ("pressure", "usage", "floor", "band"),
    [
        (0.599, 0.699, Band.FORCED, Band.NONE),
        (0.6, 0.0, Band.FORCED, Band.FORCED),
        (0.6, 0.0, Band.MEDIUM, Band.MEDIUM),
        (0.0, 0.70, Band.FORCED, Band.FORCED),
        (1.1, 0.0, Band.LIGHT, Band.FORCED),
        (0.9, 0.0, Band.LIGHT, Band.MEDIUM),
    ],
)
def test_attention_raises_the_band_only_where_there_is_pressure(
    pressure: float, usage: float, floor: Band, band: Band
) -> None:
    assert band_of(pressure, usage, floor, SETTINGS) is band


def test_the_compressor_uses_the_band_of_its_own_scope() -> None:
    context = Context.of({"WORKING/a": line_of("a", 1_200), "WORKING:call@7/b": line_of("b", 700)})
    assert context.compressor.evaluate(context.head, request()).band is Band.FORCED
    assert context.compressor.evaluate(context.head, request(scope="call@7")).band is Band.LIGHT
    assert context.compressor.evaluate(context.head, request(scope="call@8")).band is Band.NONE


def test_usage_counts_every_shown_layer_and_the_overhead() -> None:
    context = Context.of({f"{layer}/a": "word " * 40 for layer in ("SYSTEM", "PROCESS", "KNOWLEDGE", "HISTORY")})
    bare = context.compressor.evaluate(context.head, request()).before
    contents = context.graph.contents(context.head)
    assert bare.tokens == sum(contents.space(space).totals.tokens for space in contents.spaces)
    loaded = context.compressor.evaluate(context.head, request(overhead_tokens=500, window=1_000)).before
    assert loaded.tokens == bare.tokens + 500
    assert loaded.usage == loaded.tokens / 1_000


@pytest.mark.parametrize("wrong", [{"light_pressure": 0.9}, {"medium_usage": 0.9}, {"forced_pressure": 0.7}, {"x": 1}])
def test_settings_refuse_boundaries_that_do_not_ascend(wrong: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        CompressSettings.model_validate(wrong)
