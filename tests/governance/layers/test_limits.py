"""The limits of layers: how an injection of knowledge is cut, and what is sure enough to last."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.layers.limits import INJECTION_TOKENS, fit_injection, lasts
from governance.snapshots.metadata import put_meta
from governance.snapshots.model import EntryMeta, Item
from governance.snapshots.values import ValueStore


@dataclass(frozen=True, eq=False)
class Found:
    confidence: float
    tokens: int


findings = st.lists(st.builds(Found, st.sampled_from([0.2, 0.5, 0.9]), st.integers(0, 6_000)), max_size=8)


def test_an_injection_holds_8000_tokens() -> None:
    assert INJECTION_TOKENS == 8_000
    exact = [Found(0.9, 5_000), Found(0.8, 3_000)]
    assert fit_injection(exact) == (exact, [])
    over = [Found(0.8, 3_001), Found(0.9, 5_000)]
    assert fit_injection(over) == ([over[1]], [over[0]])


def test_the_least_confident_leave_even_where_they_would_fit() -> None:
    items = [Found(0.5, 1_000), Found(0.9, 5_000), Found(0.7, 4_000)]
    assert fit_injection(items) == ([items[1]], [items[0], items[2]])


def test_an_item_too_large_by_itself_does_not_push_the_others_out() -> None:
    items = [Found(0.9, 9_000), Found(0.6, 4_000)]
    assert fit_injection(items) == ([items[1]], [items[0]])


@given(findings)
def test_what_is_kept_fits_and_is_surer_than_what_is_left_out(items: list[Found]) -> None:
    kept, dropped = fit_injection(items)
    assert sum(item.tokens for item in kept) <= INJECTION_TOKENS
    assert sorted([*kept, *dropped], key=id) == sorted(items, key=id)
    fitting = [item for item in dropped if item.tokens <= INJECTION_TOKENS]
    assert all(left.confidence <= item.confidence for left in fitting for item in kept)
    assert kept == [item for item in items if item in kept]


@pytest.mark.parametrize(("confidence", "stays"), [(0.7, False), (0.71, True), (1.0, True), (0.0, False)])
def test_only_above_0_7_outlives_its_activity(confidence: float, stays: bool) -> None:
    values = ValueStore()
    item = Item(values.put("x"), put_meta(values, EntryMeta(confidence=confidence)))
    assert lasts(values, item) is stays
