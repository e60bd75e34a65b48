"""What is wrong with outputs, told so that a model and a person can put it right."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.activities.outputs import declared, problems
from engine.activities.work import MISSING, MISTYPED


def schema(required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties) if required is None else required}


ROWS = {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}


@pytest.mark.parametrize(
    ("part", "value", "told"),
    [
        ({"type": "number"}, "high", 'found "high", expected number'),
        ({"type": "number"}, True, "found true, expected number"),
        ({"type": "integer"}, 1.5, "found 1.5, expected integer"),
        ({"type": "integer"}, None, "found null, expected integer"),
        ({"type": ["string", "null"]}, 3, "found 3, expected string or null"),
        ({"enum": ["low", "high"]}, "huge", 'found "huge", expected one of "low", "high"'),
        ({"const": 7}, 8, "found 8, expected 7"),
        ({"minimum": 0}, -1, "found -1, expected at least 0"),
        ({"maximum": 1}, 2, "found 2, expected at most 1"),
        ({"exclusiveMinimum": 0}, 0, "found 0, expected more than 0"),
        ({"exclusiveMaximum": 1}, 1, "found 1, expected less than 1"),
        ({"multipleOf": 5}, 7, "found 7, expected a multiple of 5"),
        ({"minLength": 2}, "a", 'found "a", expected at least 2 characters'),
        ({"maxLength": 1}, "ab", 'found "ab", expected at most 1 characters'),
        ({"pattern": "^A"}, "b", 'found "b", expected text that matches ^A'),
        ({"minItems": 1}, [], "found [], expected at least 1 items"),
        ({"maxItems": 1}, [1, 2], "found [1,2], expected at most 1 items"),
        ({"uniqueItems": True}, [1, 1], "found [1,1], expected items that differ"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 1, "found 1, expected what its schema allows"),
        (ROWS, [{"n": 1}, {"n": "x"}], 'at [1].n: found "x", expected integer'),
        (ROWS, [{}], "at [0]: found {}, expected an object with n"),
        ({"properties": {"a": {"type": "null"}}}, {"a": 1}, "at a: found 1, expected null"),
        ({"additionalProperties": False}, {"a": 1}, 'found {"a":1}, expected no further fields'),
        ({"type": "number"}, "x" * 100, f'found "{"x" * 59}…, expected number'),
    ],
)
def test_a_wrong_value_is_told_with_what_was_expected(part: dict[str, Any], value: Any, told: str) -> None:
    assert problems({"out": value}, schema(out=part)) == (f"{MISTYPED}out ({told})",)


def test_missing_outputs_are_told_by_name_each_once() -> None:
    assert problems({}, schema(b={}, a={})) == (f"{MISSING}a", f"{MISSING}b")


def test_an_optional_output_may_be_missing() -> None:
    assert problems({"a": 1}, schema(["a"], a={}, b={"type": "string"})) == ()


def test_a_rule_over_all_outputs_is_told_of_the_outputs() -> None:
    either = {**schema([], a={}, b={}), "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    assert problems({}, either) == (f"{MISTYPED}outputs (found {{}}, expected what its schema allows)",)


def test_references_lead_into_the_schema() -> None:
    whole = {**schema(a={"$ref": "#/$defs/n"}), "$defs": {"n": {"type": "number"}}}
    assert problems({"a": "x"}, whole) == (f'{MISTYPED}a (found "x", expected number)',)


@given(st.dictionaries(st.sampled_from("abcd"), st.one_of(st.integers(), st.text(max_size=3), st.none()), max_size=4))
def test_problems_are_the_same_every_time_sorted_and_each_once(outputs: dict[str, Any]) -> None:
    whole = schema(a={"type": "integer"}, b={"enum": [1, 2], "type": "integer"}, c={"type": "string", "minLength": 2})
    told = problems(outputs, whole)
    assert told == problems(dict(reversed(outputs.items())), whole)
    assert list(told) == sorted(set(told))


def test_only_declared_outputs_are_taken() -> None:
    assert declared({"a": 1, "x": 2}, schema(a={}, b={})) == {"a": 1}


def test_a_schema_that_names_none_declares_all() -> None:
    assert declared({"a": 1, "x": 2}, {"type": "object"}) == {"a": 1, "x": 2}
