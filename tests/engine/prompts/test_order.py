"""The most relevant lines stand at both ends."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.prompts.order import relevant_at_ends

WORDS = ["alpha", "beta", "gamma", "delta", "login", "severe"]
lines = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join), max_size=9)


def test_the_best_is_last_the_second_first_and_what_has_nothing_to_do_with_it_in_the_middle() -> None:
    given_lines = ["login", "weather", "login severe incident", "tea", "login severe"]
    assert relevant_at_ends(given_lines, "a severe login incident") == [
        "login severe",
        "weather",
        "tea",
        "login",
        "login severe incident",
    ]


def test_lines_without_any_relevance_keep_their_order() -> None:
    assert relevant_at_ends(["b", "a", "c"], "login") == ["b", "a", "c"]


def test_of_equally_relevant_lines_the_later_is_nearer_to_the_end() -> None:
    assert relevant_at_ends(["login one", "login two"], "login") == ["login one", "login two"]


def test_a_record_is_not_relevant_for_the_name_of_its_branch() -> None:
    records = ["/fork@3:2.login@5:brew: tea", "/fork@3:2.tea@5:login: severe", "/fork@3:2.login@7:sleep: well"]
    assert relevant_at_ends(records, "login") == [records[0], records[2], records[1]]


@given(lines, st.sampled_from(WORDS))
def test_no_line_is_lost_or_added(given_lines: list[str], query: str) -> None:
    assert sorted(relevant_at_ends(given_lines, query)) == sorted(given_lines)
