"""Dates in texts, and entries found by the day on which they were said (Design: CDA, QTS, phase)."""

from __future__ import annotations

from datetime import date

import pytest

from governance.cda.dates import Days, day_in, spans_in
from governance.cda.entry import text_of
from governance.cda.errors import BadMessage
from tests.governance.cda.memories import memory, talk


@pytest.mark.parametrize(
    "text",
    ["1:56 pm on 8 May, 2023", "May 8, 2023", "May 8th 2023", "the 8th of May 2023", "2023-05-08", "2023年5月8日"],
)
def test_a_day_is_read_in_every_form(text: str) -> None:
    assert day_in(text) == date(2023, 5, 8)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("Who called on 24 March?", [("2023-03-24", "2023-03-24")]),
        ("What did she buy in June 2021?", [("2021-06-01", "2021-06-30")]),
        ("Where was he in May?", [("2023-05-01", "2023-05-31")]),
        ("I may go; what may 2 do, and the Mars bar 3?", []),
        ("on 31 June 2023, or 2023-13-01, or 0000-01-01", []),
        ("between 2023-02-01 and 3月5日", [("2023-02-01", "2023-02-01"), ("2023-03-05", "2023-03-05")]),
    ],
)
def test_dates_of_a_query_are_days_or_months(text: str, spans: list[tuple[str, str]]) -> None:
    assert [(str(first), str(last)) for first, last in spans_in(text, {2023})] == spans


def test_what_is_told_within_a_week_counts_less_by_the_day() -> None:
    days = Days()
    for number, day in enumerate((7, 8, 15, 16)):
        days.add(number, date(2023, 5, day))
    assert days.told_of("on 8 May") == {1: 1.0, 2: 0.5}
    assert Days().told_of("on 8 May 2023") == {}


def test_of_a_day_with_very_many_entries_the_newest_are_looked_at() -> None:
    days = Days()
    for number in range(1_000):
        days.add(number, date(2023, 5, 8))
    assert set(days.told_of("on 8 May 2023")) == set(range(600, 1_000))


def test_a_question_that_names_a_date_finds_what_was_said_then() -> None:
    found = memory({"zones": "on", "path_kept": 0})
    for at, message in enumerate(talk(60)):
        found.append_turn([{**message, "said_at": f"2023-{1 + at // 28:02}-{1 + at % 28:02}"}])
    shown = found.assemble_context("What happened on 2023-01-20?", 45).messages
    assert "Entry 19 says" in text_of(shown[0])
    assert all("said_at" not in message for message in shown)


def test_a_time_without_a_date_is_refused_and_nothing_of_the_turn_is_remembered() -> None:
    found = memory()
    with pytest.raises(
        BadMessage, match=r"message 1 of the turn: found `said_at` 'soon'; allowed is a text with a date"
    ):
        found.append_turn([{"role": "user", "content": "a"}, {"role": "user", "content": "b", "said_at": "soon"}])
    assert len(found) == 0
