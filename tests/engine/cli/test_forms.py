"""Forms from JSON Schema: what is asked, what a line means, what is asked again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cli.asking.field import NotThat, parse
from engine.cli.asking.form import Form
from tests.engine.cli.scripted import Conversation


def fill(schema: dict[str, Any] | None, *lines: str) -> tuple[dict[str, Any], Conversation]:
    conversation = Conversation(*lines)
    return Form(conversation.questions, schema).fill(), conversation


def one(name: str, schema: Any, *, required: bool = True) -> dict[str, Any]:
    return {"type": "object", "properties": {name: schema}, "required": [name] if required else []}


@pytest.mark.parametrize(
    ("schema", "line", "value"),
    [
        ({"type": "string"}, "12", "12"),
        ({"type": "string"}, "yes", "yes"),
        ({"type": "boolean"}, "Y", True),
        ({"type": "boolean"}, "no", False),
        ({"type": "integer"}, "-3", -3),
        ({"type": "number"}, "2", 2),
        ({"type": "number"}, "2.5", 2.5),
        ({"enum": ["low", "high"]}, "high", "high"),
        ({"enum": ["low", "high"]}, "1", "low"),
        ({"enum": [1, 2, True]}, "yes", True),
        ({"type": "array", "items": {"type": "integer"}}, "1, 2", [1, 2]),
        ({"type": "array"}, '["a, b"]', ["a, b"]),
        ({"type": "object"}, '{"a": 1}', {"a": 1}),
        ({"type": ["integer", "null"]}, "4", 4),
        ({}, "4", 4),
        ({}, "four", "four"),
        ({"$ref": "#/$defs/level"}, "2", "high"),
    ],
)
def test_a_line_stands_for_a_value(schema: Any, line: str, value: Any) -> None:
    form = {**one("field", schema), "$defs": {"level": {"enum": ["low", "high"]}}}
    outputs, _ = fill(form, line)
    assert outputs == {"field": value}
    assert type(outputs["field"]) is type(value)


@pytest.mark.parametrize(
    ("schema", "wrong", "right", "problem"),
    [
        ({"type": "boolean"}, "perhaps", "y", "perhaps is neither yes nor no."),
        ({"type": "integer"}, "1.5", "1", "1.5 is no whole number."),
        ({"type": "number"}, "much", "1", "much is no number."),
        ({"enum": ["low", "high"]}, "3", "2", "3 is none of low, high."),
        ({"type": "object"}, "{", "{}", "not JSON: "),
        ({"type": "integer", "maximum": 5}, "6", "5", "6 is greater than the maximum of 5."),
        ({"type": "string", "minLength": 3}, "ab", "abc", "'ab' is too short."),
        ({"type": "string"}, "", "a", "a value is needed."),
    ],
)
def test_what_does_not_fit_is_asked_again(schema: Any, wrong: str, right: str, problem: str) -> None:
    _, conversation = fill(one("field", schema), wrong, right)
    assert problem in conversation.shown
    assert len(conversation.prompts) == 2
    assert conversation.prompts[0] == conversation.prompts[1]


def test_the_prompt_says_what_to_type() -> None:
    schema = {
        "type": "object",
        "properties": {
            "sure": {"type": "boolean", "default": True},
            "level": {"enum": ["low", "high"], "title": "How bad is it?", "description": "As customers see it"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "lines": {"type": "array", "items": {"type": "object"}},
            "note": {"type": "string"},
        },
        "required": ["sure", "level", "tags", "lines"],
    }
    _, conversation = fill(schema, "", "low", "a", "[]", "")
    assert conversation.prompts == [
        "sure (yes or no) [yes]:",
        "level (1 low, 2 high):",
        "tags (several, with commas between):",
        "lines (a list, as JSON):",
        "note (text, optional):",
    ]
    assert "How bad is it?" in conversation.shown
    assert "As customers see it" in conversation.shown


def test_enter_takes_the_default_and_leaves_out_what_is_optional() -> None:
    schema = {
        "type": "object",
        "properties": {"sure": {"type": "boolean", "default": False}, "note": {"type": "string"}},
        "required": ["sure"],
    }
    assert fill(schema, "", "")[0] == {"sure": False}


def test_objects_are_asked_field_by_field() -> None:
    address = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    schema = {"type": "object", "properties": {"to": address, "from": address}, "required": ["to"]}
    outputs, conversation = fill(schema, "Bern", "n")
    assert outputs == {"to": {"city": "Bern"}}
    assert conversation.prompts == ["to.city (text):", "give from? [y]es, [n]o:"]


def test_a_constant_is_not_asked_for() -> None:
    assert fill(one("kind", {"const": "invoice"}))[0] == {"kind": "invoice"}


def test_without_a_form_names_and_values_are_taken() -> None:
    outputs, conversation = fill(None, "approved=true", "note", "note=fine", "")
    assert outputs == {"approved": True, "note": "fine"}
    assert "there is no '='" in conversation.shown


def test_the_end_of_input_ends_the_form() -> None:
    with pytest.raises(EOFError):
        fill(one("field", {"type": "string"}))


@given(st.text(), st.sampled_from(["boolean", "integer", "number", "string", "array", "object", "null"]))
def test_any_line_is_a_value_of_its_type_or_refused(line: str, kind: str) -> None:
    types = {"boolean": bool, "integer": int, "number": int | float, "string": str, "array": list, "null": type(None)}
    try:
        value = parse(line, {"type": kind})
    except NotThat:
        return
    if kind in types:
        assert isinstance(value, types[kind])
