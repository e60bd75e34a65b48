"""ISO 8601 durations, dates and cycles."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpmn.timers import Cycle, Duration, parse_cycle, parse_date, parse_duration

AT = datetime(2030, 1, 31, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("PT15M", datetime(2030, 1, 31, 9, 15, tzinfo=UTC)),
        ("P1DT12H", datetime(2030, 2, 1, 21, tzinfo=UTC)),
        ("PT1.5S", datetime(2030, 1, 31, 9, 0, 1, 500_000, tzinfo=UTC)),
        ("PT1,5H", datetime(2030, 1, 31, 10, 30, tzinfo=UTC)),
        ("P2W", datetime(2030, 2, 14, 9, tzinfo=UTC)),
        ("P1M", datetime(2030, 2, 28, 9, tzinfo=UTC)),
        ("P2M", datetime(2030, 3, 31, 9, tzinfo=UTC)),
        ("P1Y1M", datetime(2031, 2, 28, 9, tzinfo=UTC)),
        ("P2Y1M", datetime(2032, 2, 29, 9, tzinfo=UTC)),
        ("P11M", datetime(2030, 12, 31, 9, tzinfo=UTC)),
        (" PT0S ", AT),
    ],
)
def test_durations(text: str, after: datetime) -> None:
    assert parse_duration(text).after(AT) == after


@pytest.mark.parametrize(
    "text", ["", "P", "PT", "P1", "1D", "P1DT", "PT1D", "P1H", "-P1D", "P1.5Y", "P1D1H", "PT1M1H", "soon", "P1Dx"]
)
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(ValueError, match=r"ISO 8601|fraction"):
        parse_duration(text)


def test_durations_out_of_range() -> None:
    with pytest.raises(ValueError, match="too long"):
        parse_duration("P999999999W")
    with pytest.raises(OverflowError):
        parse_duration("P9999Y").after(AT)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2030-01-31T09:00:00Z", AT),
        ("2030-01-31T10:00:00+01:00", AT),
        ("2030-01-31T09:00:00", AT),
        ("2030-01-31", AT.replace(hour=0)),
        ("2030-01-31T10:00:00[Europe/Berlin]", AT),
        ("2030-01-31T10:00:00+01:00[Europe/Berlin]", AT),
        ("2030-07-01T11:00:00[Europe/Berlin]", AT.replace(month=7, day=1)),
        ("2026-10-25T02:30:00+02:00[Europe/Berlin]", datetime(2026, 10, 25, 0, 30, tzinfo=UTC)),
        ("2026-10-25T02:30:00+01:00[Europe/Berlin]", datetime(2026, 10, 25, 1, 30, tzinfo=UTC)),
        ("2026-03-29T02:30:00[Europe/Berlin]", datetime(2026, 3, 29, 1, 30, tzinfo=UTC)),
    ],
)
def test_dates(text: str, date: datetime) -> None:
    assert parse_date(text).astimezone(UTC) == date
    assert parse_date(text).tzinfo is not None


@pytest.mark.parametrize("text", ["2030-01-31T09:00:00[Nowhere/City]", "2030-01-31T09:00:00[]", "[UTC]", "x[UTC]"])
def test_what_is_no_date(text: str) -> None:
    with pytest.raises(ValueError, match="isoformat"):
        parse_date(text)


def test_a_day_later_is_the_same_time_of_day_in_its_zone() -> None:
    day = parse_duration("P1D").after(parse_date("2026-03-28T09:00:00[Europe/Berlin]"))
    assert day.isoformat() == "2026-03-29T09:00:00+02:00"


@pytest.mark.parametrize(
    ("text", "cycle"),
    [
        ("R3/PT10M", Cycle(3, Duration(0, timedelta(minutes=10)))),
        ("R/P1M", Cycle(None, Duration(1, timedelta()))),
        ("R2/2030-01-31T09:00:00Z/P1D", Cycle(2, Duration(0, timedelta(days=1)), start=AT)),
        ("R2/2030-01-31T10:00:00[Europe/Berlin]/P1D", Cycle(2, Duration(0, timedelta(days=1)), start=AT)),
        ("R2/P1D/2030-01-31T09:00:00Z", Cycle(2, Duration(0, timedelta(days=1)), end=AT)),
    ],
)
def test_cycles(text: str, cycle: Cycle) -> None:
    assert parse_cycle(text) == cycle


@pytest.mark.parametrize("text", ["", "R", "R3", "PT1H", "R-1/PT1H", "Rx/PT1H", "R3/", "R3/x", "R3/a/b/c", "0 0 * * *"])
def test_what_is_no_cycle(text: str) -> None:
    with pytest.raises(ValueError, match=r"ISO 8601|isoformat"):
        parse_cycle(text)


@given(st.integers(0, 99), st.integers(0, 99), st.integers(0, 9999), st.integers(0, 99), st.integers(0, 999))
def test_any_duration_is_read_as_written(years: int, months: int, days: int, hours: int, seconds: int) -> None:
    found = parse_duration(f"P{years}Y{months}M{days}DT{hours}H{seconds}S")
    assert found == Duration(years * 12 + months, timedelta(days=days, hours=hours, seconds=seconds))


@given(st.text(alphabet="PRTYMWDHS0123456789.,/-:Z ", max_size=20))
def test_any_other_text_is_refused_as_a_value(text: str) -> None:
    for parse in (parse_duration, parse_date, parse_cycle):
        try:
            parse(text)
        except ValueError:
            continue
