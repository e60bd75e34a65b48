"""Taint by content: texts of eight characters or more are known again wherever they stand."""

from __future__ import annotations

import pytest

from governance.snapshots.values import ValueStore
from governance.taint import Taint, unknown_parts


@pytest.mark.parametrize(("text", "known"), [("12345678", True), ("1234567", False)])
def test_a_text_of_eight_characters_is_known_in_another_value(text: str, known: bool) -> None:
    values = ValueStore()
    taint = Taint(values)
    taint.add({"mail": text})
    assert taint.of([text]) is known
    assert taint.holds(values.put({"copied": {"to": text}})) is known
    assert taint.of({"mail": text}), "the value itself is, however short its texts"


def test_what_is_lifted_is_stored_as_such_until_it_comes_again() -> None:
    taint = Taint(ValueStore())
    taint.add("from outside")
    assert len(taint.drain()) == 1
    taint.lift("from outside")
    assert not taint
    assert len(taint.drain_lifted()) == 1
    taint.add("from outside")
    assert (taint.of("from outside"), len(taint.drain()), taint.drain_lifted()) == (True, 1, [])


@pytest.mark.parametrize(
    ("value", "parts"),
    [({"order": 17}, []), ({"order": 1}, ["order"]), ({"a": [True, None, "", "Ann"]}, []), ({"a": ["x"]}, ["a[0]"])],
)
def test_an_argument_stands_in_clean_text_as_a_word_of_its_own(value: object, parts: list[str]) -> None:
    assert unknown_parts(value, "order 17 of ann") == parts
