"""One spelling per JSON value, and private copies."""

from __future__ import annotations

import json
import math
import uuid
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.errors import NotJson
from governance.snapshots.canonical import MAX_DEPTH, canonical, decode, digest, thaw

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXT, inner, max_size=4)),
    max_leaves=12,
)


def spelt(value: Any) -> Any:
    """The value with the type of every part, and objects without an order: equal only for the same JSON value."""
    if isinstance(value, dict):
        return ("object", frozenset((key, spelt(item)) for key, item in value.items()))
    if isinstance(value, list | tuple):
        return ("list", tuple(spelt(item) for item in value))
    return (type(value).__name__, repr(value))


def reordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: reordered(value[key]) for key in reversed(value)}
    return [reordered(item) for item in value] if isinstance(value, list) else value


def nested(depth: int, innermost: Any = 0) -> Any:
    value = innermost
    for level in range(depth):
        value = [value] if level % 2 else {"in": value}
    return value


@given(JSON, JSON)
def test_values_have_equal_bytes_exactly_if_they_are_the_same_json_value(one: Any, other: Any) -> None:
    assert (canonical(one) == canonical(other)) == (spelt(one) == spelt(other))
    assert canonical(reordered(one)) == canonical(one)


def test_values_that_python_takes_for_equal_differ() -> None:
    lookalikes = [1, 1.0, True, "1", "true", 0, 0.0, -0.0, False, None, "null", "", [], {}, [1], [1.0], {"a": 1}]
    assert len({canonical(value) for value in lookalikes}) == len(lookalikes)


def test_keys_are_sorted_at_every_depth_and_text_is_utf8() -> None:
    assert canonical({"b": [{"z": 1, "a": 2}], "a": "申请"}) == '{"a":"申请","b":[{"a":2,"z":1}]}'.encode()


@given(JSON)
def test_bytes_decode_to_the_value(value: Any) -> None:
    assert spelt(decode(canonical(value))) == spelt(value)
    assert spelt(json.loads(canonical(value))) == spelt(value)


@pytest.mark.parametrize("number", [2**63, 2**64 - 1, 2**64, -(2**63) - 1, 10**40])
def test_integers_over_64_bits_survive(number: int) -> None:
    assert decode(canonical({"b": number, "a": "申请"})) == {"b": number, "a": "申请"}
    assert canonical({"b": number, "a": "申请"}) == f'{{"a":"申请","b":{number}}}'.encode()


@pytest.mark.parametrize(
    ("value", "place", "found"),
    [
        (math.nan, "$", "nan"),
        ({"rates": [0.5, math.inf]}, "$.rates[1]", "inf"),
        ({"a": {1: "one"}}, "$.a", "an object with the key 1"),
        ([{"when": {1, 2}}], "$[0].when", "a set"),
        ({"id": uuid.UUID(int=1)}, "$.id", "a UUID"),
        (b"raw", "$", "a bytes"),
        ({"text": "\ud800"}, "$", "text with a lone surrogate"),
        (nested(MAX_DEPTH + 1), "$" + ".in[0]" * (MAX_DEPTH // 2), "nesting of more than 254 levels"),
    ],
)
def test_what_is_no_json_value_is_refused_with_its_place(value: Any, place: str, found: str) -> None:
    for function in (canonical, thaw):
        with pytest.raises(NotJson) as refused:
            function(value)
        assert (refused.value.key, refused.value.found) == (place, found)


def test_a_value_that_contains_itself_is_refused() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(NotJson, match="nesting"):
        canonical(loop)


@pytest.mark.parametrize("innermost", [0, 2**70])
def test_the_deepest_nesting_allowed_is_the_same_for_all_numbers(innermost: int) -> None:
    assert decode(canonical(nested(MAX_DEPTH, innermost))) == nested(MAX_DEPTH, innermost)
    with pytest.raises(NotJson):
        canonical(nested(MAX_DEPTH + 1, innermost))


def test_tuples_and_text_enums_become_plain_json() -> None:
    class Colour(StrEnum):
        RED = "red"

    copy = thaw({"pair": (1, 2**70), "colour": Colour.RED, Colour.RED: (Colour.RED,)})
    assert copy == {"pair": [1, 2**70], "colour": "red", "red": ["red"]}
    assert [type(copy["pair"]), type(copy["colour"]), *map(type, copy)] == [list, str, str, str, str]


@given(JSON)
def test_thaw_shares_nothing_that_can_change(value: Any) -> None:
    copy = thaw(value)
    assert spelt(copy) == spelt(value)
    assert not _containers(copy) & _containers(value)


def test_a_digest_is_the_first_half_of_sha256() -> None:
    assert digest(b"{}") == "44136fa355b3678a1146ad16f7e8649e"


def _containers(value: Any) -> set[int]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    mine = {id(value)} if isinstance(value, dict | list) else set()
    return mine.union(*(_containers(item) for item in inner))
