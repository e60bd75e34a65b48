"""JSON texts keep integers of any size, and are what orjson writes and reads otherwise."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.json_text import compact, parse, pretty

integers = st.integers(-(2**70), 2**70) | st.sampled_from([2**63, 2**64 - 1, 2**64, -(2**63) - 1, 10**400])
values = st.recursive(
    st.none() | st.booleans() | integers | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(values)
def test_what_is_written_is_read_again(value: Any) -> None:
    for text in (compact(value), pretty(value), pretty(value, sort_keys=True)):
        assert repr(_sorted(parse(text))) == repr(_sorted(value))
    assert "\n" not in compact(value)


@pytest.mark.parametrize("number", [1, 2**70])
def test_a_document_looks_the_same_with_a_large_integer(number: int) -> None:
    text = pretty({"b": [number], "a": {}, 7: []})
    assert text == f'{{\n  "b": [\n    {number}\n  ],\n  "a": {{}},\n  "7": []\n}}'
    assert compact({"b": [number], "a": "ü", 7: {}}) == f'{{"b":[{number}],"a":"ü","7":{{}}}}'
    assert pretty({"b": number, "a": 1}, sort_keys=True) == f'{{\n  "a": 1,\n  "b": {number}\n}}'


@pytest.mark.parametrize("long", ["", "1234567890123456789012345"])
@pytest.mark.parametrize("text", ["{}]", "[NaN, {}]", "[Infinity, {}]", "[1, {}", "'{}'", "[" * 5000 + "{}"])
def test_what_is_no_json_is_refused(text: str, long: str) -> None:
    with pytest.raises(json.JSONDecodeError):
        parse(text.replace("{}", long))


def test_a_number_with_more_digits_than_python_reads_is_no_json() -> None:
    with pytest.raises(json.JSONDecodeError):
        parse("9" * 5000)


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(each) for each in value] if isinstance(value, list) else value
