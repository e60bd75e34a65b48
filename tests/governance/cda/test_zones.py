"""Zones: keep, compress, drop, with hysteresis and protection of chains (Design: CDA, zones)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.cda.settings import CdaSettings
from governance.cda.zones import CALIBRATION, Zone, ZoneTable, calibrated, together
from governance.vocabulary import Fidelity


def raw(value: float) -> float:
    """The score whose calibrated value is `value`."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if calibrated(middle) < value else (low, middle)
    return high


def zone_after(*values: float) -> Zone:
    table = ZoneTable(CdaSettings())
    for value in values:
        table.update({1: raw(value)})
    return table.zone(1)


@pytest.mark.parametrize(
    ("value", "zone"),
    [(1.0, Zone.KEEP), (0.76, Zone.KEEP), (0.74, Zone.COMPRESS), (0.26, Zone.COMPRESS), (0.24, Zone.DROP)],
)
def test_a_first_score_names_its_zone(value: float, zone: Zone) -> None:
    assert zone_after(value) is zone


@pytest.mark.parametrize(
    ("values", "zone"),
    [
        ((0.8, 0.66), Zone.KEEP),
        ((0.8, 0.64), Zone.COMPRESS),
        ((0.5, 0.84), Zone.COMPRESS),
        ((0.5, 0.86), Zone.KEEP),
        ((0.5, 0.16), Zone.COMPRESS),
        ((0.5, 0.14), Zone.DROP),
        ((0.1, 0.34), Zone.DROP),
        ((0.1, 0.36), Zone.COMPRESS),
        ((0.1, 0.80), Zone.COMPRESS),
        ((0.1, 0.86), Zone.KEEP),
        ((0.9, 0.10), Zone.DROP),
    ],
)
def test_a_zone_changes_only_past_the_margin(values: tuple[float, ...], zone: Zone) -> None:
    assert zone_after(*values) is zone


@given(st.floats(0.0, 1.0), st.lists(st.floats(-0.09, 0.09), max_size=12))
def test_scores_that_tremble_never_make_zones_flicker(start: float, noise: list[float]) -> None:
    table = ZoneTable(CdaSettings())
    zones = []
    for value in (start, *(min(1.0, max(0.0, start + each)) for each in noise)):
        table.update({1: raw(value)})
        zones.append(table.zone(1))
    assert sum(a is not b for a, b in pairwise(zones)) <= 1


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_the_calibration_keeps_the_order(a: float, b: float) -> None:
    assert (a <= b) == (calibrated(a) <= calibrated(b)) or calibrated(a) == calibrated(b)
    assert calibrated(0.0) == 0.0
    assert calibrated(1.0) == 1.0
    assert len(CALIBRATION) > 2


def test_zones_have_fidelities() -> None:
    assert [zone.fidelity for zone in Zone] == [Fidelity.FULL, Fidelity.SUMMARY, Fidelity.KEY_ONLY]


def test_what_was_dropped_three_times_is_shown_once() -> None:
    table = ZoneTable(CdaSettings())
    shown = []
    for _ in range(9):
        table.update({1: 0.0})
        shown.append(table.shown([1])[1])
    assert shown == [Zone.DROP] * 3 + [Zone.COMPRESS] + [Zone.DROP] * 5
    assert table.zone(1) is Zone.DROP


def test_an_assembly_that_shows_it_begins_the_count_anew() -> None:
    table = ZoneTable(CdaSettings())
    shown = []
    for score in (0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0):
        table.update({1: score})
        shown.append(table.shown([1])[1])
    assert shown == [Zone.DROP] * 2 + [Zone.KEEP] + [Zone.DROP] * 3 + [Zone.COMPRESS]


def test_ancestors_of_what_is_kept_are_shown_as_long_as_it_is() -> None:
    table = ZoneTable(CdaSettings())
    table.update({1: 0.0})
    assert [table.shown([1], ancestors=[1])[1] for _ in range(9)] == [Zone.COMPRESS] * 9
    assert table.zone(1) is Zone.DROP


def test_the_path_is_compressed_at_least_and_retained_entries_are_kept() -> None:
    table = ZoneTable(CdaSettings())
    table.update({1: 0.0, 2: 0.0})
    assert table.shown([1, 2], path=[1], retained=[2]) == {1: Zone.COMPRESS, 2: Zone.KEEP}


def test_entries_of_a_failed_trace_are_never_protected() -> None:
    table = ZoneTable(CdaSettings())
    table.update({1: 0.0})
    shown = [table.shown([1], path=[1], ancestors=[1], filtered=[1])[1] for _ in range(6)]
    assert shown == [Zone.DROP] * 6


def test_an_entry_without_a_score_any_more_falls() -> None:
    table = ZoneTable(CdaSettings())
    table.update({1: 1.0})
    table.update({2: 1.0})
    assert table.zone(1) is Zone.DROP
    assert table.counts() == {Zone.KEEP: 1, Zone.COMPRESS: 0, Zone.DROP: 1}


def test_rows_of_branches_come_together_in_the_higher_zone() -> None:
    one = [("a", "keep", 0, False), ("b", "drop", 2, False), ("c", "drop", 0, True)]
    other = [("b", "compress", 0, False), ("a", "drop", 3, True), ("d", "drop", 1, False)]
    expected = [("c", "drop", 0, True), ("d", "drop", 1, False), ("b", "compress", 0, False), ("a", "keep", 0, True)]
    assert together([one, other], 9) == together([other, one], 9) == expected
    assert together([one, other], 2) == together([other, one], 2) == expected[2:]


def test_rows_say_no_more_than_must_be_known() -> None:
    table: ZoneTable[str] = ZoneTable(CdaSettings())
    table.update({"a": 0.9, "b": 0.0})
    assert table.rows(10) == [("a", "keep", 0, False)]
    table.shown(["b"])
    assert table.rows(10) == [("a", "keep", 0, False), ("b", "drop", 1, False)]
    assert table.rows(1) == [("b", "drop", 1, False)]
