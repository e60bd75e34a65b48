"""The parts that summaries are made with: cuts, sentences, kinds, identifiers, notes."""

# ruff: noqa: RUF001 - Chinese punctuation is meant.

from __future__ import annotations

import pytest

from governance.summaries.clipping import clip
from governance.summaries.facts import names_row
from governance.summaries.identifiers import identifiers, keeps_identifiers
from governance.summaries.inline import inline
from governance.summaries.kinds import JSON, Kind, classify
from governance.summaries.notes import left_out, without_notes
from governance.summaries.sentences import sentences
from tests.governance.summaries.samples import CHINESE, REPORT, flights, service_log


@pytest.mark.parametrize(
    ("text", "limit", "clipped"),
    [
        ("short", 5, "short"),
        ("The order was approved, then it was shipped.", 30, "The order was approved …"),
        ("The order was approved then shipped.", 20, "The order was …"),
        ("The price is 12 million dollars and more", 18, "The price is …"),
        ("Payment within 30 days of receipt", 20, "Payment within …"),
        ("It costs $ 99 in all", 13, "It costs …"),
        ("Total 1 250 units", 11, "Total …"),
        ("order SO-20260318-0042 failed", 15, "order …"),
        ("系统开始报警，证书到期了", 9, "系统开始报警…"),
        ("共计12500元整", 6, "共计…"),
        ("约三十五万元人民币", 8, "约三十五万元…"),
        ("约三十五万元人民币", 4, "…"),
        ("x" * 50, 10, "…"),
        ("anything", 1, "…"),
        ("anything", 0, ""),
    ],
)
def test_clip(text: str, limit: int, clipped: str) -> None:
    assert clip(text, limit) == clipped


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("It works. Really!", ["It works.", "Really!"]),
        ("Dr. Brandt came at 3.5 p.m. on Monday. He left.", ["Dr. Brandt came at 3.5 p.m. on Monday.", "He left."]),
        ("Use e.g. a job. J. Smith agreed.", ["Use e.g. a job.", "J. Smith agreed."]),
        ("1. Restart it.\n2. Wait.", ["1. Restart it.", "2. Wait."]),
        ("# Title\nFirst line\nSecond line", ["# Title", "First line", "Second line"]),
        ("证书到期。用户出错！English?好", ["证书到期。", "用户出错！", "English?", "好"]),
        ('He said "stop." Then left.', ['He said "stop."', "Then left."]),
        ("- renew what is older than\n  30 days\n- wait", ["- renew what is older than\n  30 days", "- wait"]),
        ("see example.com and v2.14.0 there", ["see example.com and v2.14.0 there"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences(text: str, pieces: list[str]) -> None:
    assert [text[span.start : span.end] for span in sentences(text, 300)] == pieces


def test_a_hard_wrapped_sentence_is_one() -> None:
    text = "This is a line of a paragraph that was wrapped by hand and it\ngoes on here."
    assert len(sentences(text, 300)) == 1


def test_a_long_sentence_is_split_at_its_clauses() -> None:
    text = "When the gateway fails, the order waits, and the customer is told, which takes a minute"
    assert [text[span.start : span.end] for span in sentences(text, 45)] == [
        "When the gateway fails, the order waits,",
        "and the customer is told,",
        "which takes a minute",
    ]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, Kind.SCALAR),
        (True, Kind.SCALAR),
        (12.5, Kind.SCALAR),
        ("approved", Kind.SCALAR),
        ("", Kind.SCALAR),
        (REPORT, Kind.PROSE),
        (CHINESE, Kind.PROSE),
        ("User: hello there, how are you?\nAgent: fine, what can I do?\nUser: I need a refund.\n" * 3, Kind.PROSE),
        ("Dear Ms. Lindqvist,\n\n" + "Thank you for waiting so long. " * 5 + "\n\nKind regards,\nTomasz", Kind.PROSE),
        ({}, Kind.OBJECT),
        ({"a": 1}, Kind.OBJECT),
        ('{"a": 1}', Kind.OBJECT),
        ([], Kind.TABLE),
        (flights(2), Kind.TABLE),
        ("[1, 2]", Kind.TABLE),
        ("[1, 2", Kind.SCALAR),
        ("id,name\n1,Ann\n2,Bob", Kind.TEXT_TABLE),
        ("| a | b |\n|---|---|\n| 1 | 2 |", Kind.TEXT_TABLE),
        (service_log(10), Kind.TEXT_TABLE),
        ("def f(x):\n    if x:\n        return g(x)\n    return None\n", Kind.TEXT_TABLE),
        (
            "total 12\n-rw-r--r--  1 root root  12 Jan  1 a.txt\n-rw-r--r--  1 root root  7 Jan  1 b.txt",
            Kind.TEXT_TABLE,
        ),
    ],
)
def test_what_kind_a_value_is(value: JSON, kind: Kind) -> None:
    assert classify(value)[0] is kind


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("$12,500.00 (4.6%) at 10:30, -5 or 3-7", ["12500.00", "4.6", "10:30", "-5", "3-7"]),
        ("ORD-2024-0017, user_id of mei_ito_3381", ["ORD-2024-0017", "user_id", "mei_ito_3381"]),
        ("src/cart.py:81 and orderId in order.total", ["src/cart.py", "81", "orderId", "order.total"]),
        ("a.b@example.org, https://example.org/a?b=1.", ["a.b@example.org", "https://example.org/a?b=1"]),
        ("订单SO-0042金额126,800元", ["SO-0042", "126800"]),
        ("2026-05-16T10:30:00Z", ["2026-05-16T10:30:00Z"]),
        ("the state-of-the-art and/or USA, e.g. Ann", []),
        ("7 and 7", ["7"]),
    ],
)
def test_identifiers(text: str, found: list[str]) -> None:
    assert identifiers(text) == found


def test_a_rewriting_that_keeps_all() -> None:
    selection = "order_id = A-17; total = 12,500\n… 38 of 40 rows left out: A-18, A-19, …"
    assert keeps_identifiers(selection, "Order A-17 comes to 12500 in total.") == []


@pytest.mark.parametrize(
    ("rewritten", "missing"),
    [
        ("The order comes to 12,500.", ["A-17"]),
        ("Order A-17 comes to about 12 thousand.", ["12500"]),
        ("Order A-171 comes to 12,500.", ["A-17"]),
        ("", ["A-17", "12500"]),
    ],
)
def test_what_a_rewriting_lacks(rewritten: str, missing: list[str]) -> None:
    assert keeps_identifiers("order_id = A-17; total = 12,500", rewritten) == missing


def test_keys_within_braces_need_not_be_kept() -> None:
    assert keeps_identifiers("seats = {basic_economy: 6, first_class: 2}", "6 and 2 seats") == []


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ({"a": 1, "b": [True, None, 1.0]}, "{a: 1, b: [true, null, 1.0]}"),
        ("two\n lines", "two lines"),
        (["plain", "with, comma", ""], '[plain, "with, comma", ""]'),
        ("", '""'),
        ({}, "{}"),
        (12345678901234567890123, "12345678901234567890123"),
        ([[[[[[[[[1]]]]]]]]], "[[[[[[[[…]]]]]]]]"),
    ],
)
def test_inline(value: JSON, line: str) -> None:
    assert inline(value, 80) == line


@pytest.mark.parametrize("key", ["id", "user_id", "orderId", "flight_number", "Name", "订单编号", "zip code"])
def test_keys_that_name_a_row(key: str) -> None:
    assert names_row(key)


@pytest.mark.parametrize("key", ["paid", "valid", "amount", "monkey", "note"])
def test_keys_that_do_not(key: str) -> None:
    assert not names_row(key)


@pytest.mark.parametrize(
    ("room", "note"),
    [
        (80, "… 3 of 9 rows left out: A-1, A-2, A-3"),
        (36, "… 3 of 9 rows left out: A-1, A-2, …"),
        (31, "… 3 of 9 rows left out: A-1, …"),
        (28, "… 3 of 9 rows left out"),
        (10, "…"),
        (0, ""),
    ],
)
def test_a_note_names_as_many_as_fit(room: int, note: str) -> None:
    assert left_out(3, 9, "rows", room, ["A-1", "A-2", "A-3"]) == note
    assert len(note) <= room


def test_nothing_left_out_needs_no_note() -> None:
    assert left_out(0, 9, "rows", 80) == ""


def test_notes_are_told_from_the_source() -> None:
    assert without_notes("a = 1\n… 3 of 9 rows left out: A-1, …\nb = 2") == "a = 1\n\nb = 2"
