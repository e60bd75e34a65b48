from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.similarity.terms import is_value, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The invoices were approved", ["invoic", "approv"]),
        ("orderId", ["orderid", "order", "id"]),
        ("flight_number", ["flight_number", "flight", "number"]),
        ("db.orders.total", ["db.orders.total", "db", "order", "total"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("three IDs", ["three", "id"]),
        ("HAT136", ["hat136", "hat", "136"]),
        ("$12,500.00 on 2026-05-16", ["12500.00", "12500", "2026-05-16", "2026"]),
        ("wasn't paid, can't pay", ["not", "paid", "not", "pay"]),
        ("the customer's order", ["custom", "order"]),
        ("支付网关", ["支付", "付网", "网关"]),
        ("共12500元", ["共", "12500", "元"]),
        ("\uff21\uff22\uff23\uff11\uff12\uff13", ["abc123", "abc", "123"]),
        ("to be or to do", []),
        ("", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_forms_of_a_word_meet() -> None:
    assert terms("escalating") == terms("escalated") == terms("escalations")[:1]


@pytest.mark.parametrize("term", ["500", "a-17", "not", "未批"])
def test_facts_hang_on_values(term: str) -> None:
    assert is_value(term)


@pytest.mark.parametrize("term", ["refund", "批准", "元"])
def test_topics_are_no_values(term: str) -> None:
    assert not is_value(term)


@given(st.text())
def test_no_term_is_empty_or_longer_than_the_longest(text: str) -> None:
    assert all(0 < len(term) <= 64 for term in terms(text))


def test_an_endless_token_is_known_by_its_beginning() -> None:
    assert terms("x" * 1_000_000) == ["x" * 64]
