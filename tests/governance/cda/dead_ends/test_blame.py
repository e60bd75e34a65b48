"""What fails for one thing fails again whatever else changes."""

from __future__ import annotations

from typing import Any

import pytest

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
