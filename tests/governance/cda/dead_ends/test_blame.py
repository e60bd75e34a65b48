"""What fails for one thing fails again whatever else changes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.cda.dead_ends.blame import aspects_of, blamed_in
from governance.cda.dead_ends.model import Attempt
from governance.cda.dead_ends.registry import DeadEndRegistry

AT = "2026-01-01T00:00:00.000000Z"
LATER = "2026-01-02T00:00:00.000000Z"


def book(state: str = "s", hidden: str = "", **arguments: Any) -> Attempt:
    secret = {"token": hidden} if hidden else {}
    return Attempt("tool:book", {**arguments, **secret}, state, "p", public=arguments)


def known(attempt: Attempt, reason: str) -> DeadEndRegistry:
    registry = DeadEndRegistry()
    registry.register(attempt, reason=reason, at=AT, source="tool", session="i")
    return registry


def paying(*amounts: float, **others: Any) -> Attempt:
    return book(payments=[{"amount": each, "card": f"c{at}"} for at, each in enumerate(amounts)], **others)


def test_what_is_not_there_is_not_there_whatever_else_changes() -> None:
    registry = known(book(order="A-17", seats=2, note="by train"), "Error: order A-17 not found")
    assert registry.match(book(order="a-17", seats=9), LATER).verdict == "refused"
    assert registry.match(book(order="A-18", seats=2, note="by train"), LATER).verdict != "refused"
    assert registry.match(book(order="A-17", seats=9, state="another"), LATER).verdict == "none"
    assert registry.match(book(order="A-17", seats=9, hidden="x"), LATER).verdict == "none"


def test_what_fails_for_the_same_thing_is_refused_where_likeness_alone_would_only_tell() -> None:
    note = "by the early train along the coast to the harbour and back over the hills"
    first, alike = book(order="A-17", note=note), book(order="A-17", note=f"{note} again")
    assert known(first, "nothing is to be had").match(alike, LATER).verdict == "told"
    assert known(first, "order A-17 not found").match(alike, LATER).verdict == "refused"


def test_the_very_attempt_that_failed_is_told_before_one_that_failed_later_for_the_same_thing() -> None:
    registry = known(book(order="A-17", seats=2), "order A-17 not found")
    registry.register(book(order="A-17", seats=9), reason="order A-17 not found", at=LATER, source="tool", session="i")
    found = registry.match(book(order="A-17", seats=2), LATER).dead_end
    assert found is not None
    assert found.last_at == AT


def test_all_that_the_reason_names_must_be_the_same() -> None:
    registry = known(book(flight="HAT139", date="2024-05-26", seats=2), "flight HAT139 not found on 2024-05-26")
    assert registry.match(book(flight="HAT139", date="2024-05-26", seats=1), LATER).verdict == "refused"
    assert registry.match(book(flight="HAT139", date="2024-05-27", seats=2), LATER).verdict != "refused"


def test_the_value_must_stand_at_the_same_place() -> None:
    registry = known(book(order="A-17"), "no such order: A-17")
    assert registry.match(book(copy_of="A-17"), LATER).verdict == "none"


def test_a_sum_that_was_wrong_is_wrong_however_it_comes_about() -> None:
    registry = known(paying(250, 5, to="SEA"), "payment does not add up: the price is 305, but paid 255")
    assert registry.match(paying(100, 155, to="SEA"), LATER).verdict == "refused"
    assert registry.match(paying(250, 5.0, 0, to="SEA"), LATER).verdict == "refused"
    assert registry.match(paying(250, 55, to="SEA"), LATER).verdict != "refused"
    assert registry.match(paying(100, 155, to="JFK"), LATER).verdict != "refused"


@pytest.mark.parametrize(
    "reason", ["not enough seats on flight HAT139", "", "it is not found", "HAT is not found", "not found: HAT139b"]
)
def test_a_reason_that_may_be_about_more_blames_nothing(reason: str) -> None:
    assert blamed_in(book(flight="HAT139", seats=2), reason) == frozenset()


@pytest.mark.parametrize(
    ("reason", "arguments"),
    [
        ("order not found", {"kind": "order", "id": "A-17"}),
        ("Error: no such order", {"kind": "order", "id": "A-17"}),
        ("order A-17: the coupon was not found", {"order": "A-17", "coupon": "SPRING"}),
        ("order A-17: no such coupon", {"order": "A-17", "coupon": "SPRING"}),
        ("flight not found on 2024-05-20", {"flight": "next", "date": "2024-05-20"}),
        ("unknown error with A-17", {"order": "A-17"}),
        ("item 1 is sold out", {"items": [{"sku": "A-1", "count": 1}]}),
        ("error 500 while sending", {"items": [{"price": 500}]}),
    ],
)
def test_what_the_reason_does_not_say_to_be_missing_or_a_wrong_sum_is_not_blamed(
    reason: str, arguments: dict[str, Any]
) -> None:
    assert blamed_in(book(**arguments), reason) == frozenset()


@pytest.mark.parametrize(
    ("reason", "value"),
    [
        ("Error: order A-17 not found", "A-17"),
        ("order 'A-17' does not exist", "A-17"),
        ("order A-17 could not be found", "A-17"),
        ("unknown order A-17", "A-17"),
        ('Unknown order: "alpha"', "alpha"),
        ("no such order id A-17", "A-17"),
        ("not found: A-17", "A-17"),
        ("/src/a.py: No such file or directory", "/src/a.py"),
        ("订单 A-17 不存在", "A-17"),
        ("找不到 A-17", "A-17"),
    ],
)
def test_what_is_said_to_be_missing_is_blamed(reason: str, value: str) -> None:
    assert len(blamed_in(book(order=value, seats=2), reason)) == 1


@given(st.lists(st.floats(0, 1e6), min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_a_sum_is_the_same_in_every_order(amounts: list[float], random: Any) -> None:
    mixed = random.sample(amounts, len(amounts))
    items, others = [{"amount": each} for each in amounts], [{"amount": each} for each in mixed]
    assert aspects_of(book(items=items)) == aspects_of(book(items=others))


@pytest.mark.parametrize("amounts", [(10**400, 1), (1e308, 1e308)])
def test_a_sum_beyond_all_numbers_is_none(amounts: tuple[float, ...]) -> None:
    assert aspects_of(paying(*amounts)) == aspects_of(book(payments=[{"card": "c0"}, {"card": "c1"}]))
    assert blamed_in(paying(*amounts), "the total is 7") == frozenset()


def test_arguments_that_are_not_kept_are_not_blamed() -> None:
    attempt = Attempt("tool:book", {"order": "A-17"}, "s", "p")
    assert blamed_in(attempt, "order A-17 not found") == frozenset()
    assert aspects_of(attempt) == frozenset()


def test_a_success_ends_it() -> None:
    registry = known(book(order="A-17", seats=2), "order A-17 not found")
    (ended,) = registry.succeeded(book(order="A-17", seats=3), at=AT)
    assert ended.status == "worked"
    assert registry.match(book(order="A-17", seats=4), LATER).verdict == "none"


def test_what_is_stored_says_it_again() -> None:
    facts = known(book(order="A-17", seats=2), "order A-17 not found").drain()
    again = DeadEndRegistry()
    again.load([type(fact).model_validate_json(fact.model_dump_json(exclude_defaults=True)) for fact in facts])
    assert again.match(book(order="A-17", seats=3), LATER).verdict == "refused"


def test_an_old_one_is_not_blamed_any_more() -> None:
    registry = known(book(order="A-17", seats=2), "order A-17 not found")
    assert registry.match(book(order="A-17", seats=9), "2026-01-31T00:00:00.000000Z").verdict == "refused"
    assert registry.match(book(order="A-17", seats=9), "2026-01-31T00:00:00.000001Z").verdict == "none"
