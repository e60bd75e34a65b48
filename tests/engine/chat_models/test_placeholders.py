"""Placeholders fit their schema."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from engine.models.placeholders import placeholder, placeholders

small = st.integers(min_value=-20, max_value=20)


def bounds(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    """Schemas of numbers that some number fits."""
    pair = st.tuples(small, st.integers(min_value=2, max_value=30)).map(lambda pair: (pair[0], pair[0] + pair[1]))
    return st.one_of(
        st.just({"type": kind}),
        small.map(lambda low: {"type": kind, "minimum": low}),
        small.map(lambda high: {"type": kind, "maximum": high}),
        small.map(lambda low: {"type": kind, "exclusiveMinimum": low}),
        small.map(lambda high: {"type": kind, "exclusiveMaximum": high}),
        pair.map(lambda ends: {"type": kind, "exclusiveMinimum": ends[0], "exclusiveMaximum": ends[1]}),
        pair.map(lambda ends: {"type": kind, "minimum": ends[0], "maximum": ends[1], "multipleOf": 2}),
    )


texts = st.one_of(
    st.just({"type": "string"}),
    st.integers(0, 40).map(lambda length: {"type": "string", "minLength": length}),
    st.integers(0, 40).map(lambda length: {"type": "string", "maxLength": length}),
)
scalars = st.one_of(
    bounds("integer"),
    bounds("number"),
    texts,
    st.sampled_from([{"type": "boolean"}, {"type": "null"}, {}, {"const": 7}, {"enum": ["b", "a"]}]),
    st.just({"type": ["null", "integer"]}),
)


def composed(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    fields = st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    return st.one_of(
        inner.map(lambda items: {"type": "array", "items": items}),
        inner.map(lambda items: {"type": "array", "items": items, "minItems": 3}),
        inner.map(lambda items: {"type": "array", "items": items, "maxItems": 0}),
        st.lists(inner, max_size=3).map(lambda first: {"type": "array", "prefixItems": first, "items": False}),
        fields.map(lambda parts: {"type": "object", "properties": parts, "required": sorted(parts)}),
        inner.map(lambda one: {"anyOf": [{"type": "null"}, one]}),
        inner.map(lambda one: {"allOf": [one, {}]}),
    )


schemas = st.recursive(scalars, composed, max_leaves=8)


@given(schemas)
def test_a_placeholder_fits(schema: dict[str, Any]) -> None:
    value = placeholder(schema, "thing", schema)
    assert list(Draft202012Validator(schema).iter_errors(value)) == []


@given(schemas)
def test_it_is_the_same_every_time(schema: dict[str, Any]) -> None:
    assert placeholder(schema, "thing", schema) == placeholder(schema, "thing", schema)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, "<note>"),
        ({}, "<note>"),
        (True, "<note>"),
        ({"type": "integer"}, 0),
        ({"type": "integer", "minimum": 3}, 3),
        ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, 0.5),
        ({"type": "integer", "minimum": 7, "multipleOf": 5}, 10),
        ({"minimum": 4}, 4),
        ({"type": "boolean"}, True),
        ({"type": "array", "items": {"type": "string"}}, ["<note>"]),
        ({"type": "array", "minItems": 2}, ["<note 1>", "<note 2>"]),
        ({"type": "object", "properties": {"a": {}, "b": {}}, "required": ["b"]}, {"b": "<b>"}),
        ({"enum": ["x", "y"]}, "x"),
        ({"type": "string", "default": "d"}, "d"),
        ({"type": "string", "examples": ["e"]}, "e"),
        ({"type": "string", "format": "date"}, "2000-01-01"),
        ({"oneOf": [{"type": "null"}, {"type": "integer", "minimum": 2}]}, 2),
        ({"$ref": "#/$defs/money"}, 5),
        ({"$ref": "#/$defs/absent"}, "<note>"),
    ],
)
def test_it_is_plain(schema: Any, value: Any) -> None:
    root = {"$defs": {"money": {"type": "integer", "minimum": 5}}}
    assert placeholder(schema, "note", root) == value


def test_a_schema_that_refers_to_itself_ends() -> None:
    tree = {"$ref": "#/$defs/tree"}
    root = {"$defs": {"tree": {"type": "object", "properties": {"child": tree}, "required": ["child"]}}}
    assert placeholder(tree, "tree", root)["child"]["child"]


def test_all_declared_outputs_get_one_optional_ones_too() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {}}, "required": ["a"]}
    assert placeholders(schema) == {"a": 0, "b": "<b>"}


def test_outputs_behind_a_reference_are_found() -> None:
    schema = {"$ref": "#/$defs/o", "$defs": {"o": {"properties": {"a": {"type": "boolean"}}}}}
    assert placeholders(schema) == {"a": True}
