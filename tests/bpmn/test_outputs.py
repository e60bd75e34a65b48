"""The texts that declare an agent's outputs."""

from __future__ import annotations

import pytest

from bpmn.reader.outputs import OutputsError, parse_outputs


@pytest.mark.parametrize(
    ("text", "properties", "required"),
    [
        ("risk:number", {"risk": {"type": "number"}}, ["risk"]),
        ("a:string, b?:integer ,c", {"a": {"type": "string"}, "b": {"type": "integer"}, "c": {}}, ["a", "c"]),
        ("a : boolean\nb? : object\n", {"a": {"type": "boolean"}, "b": {"type": "object"}}, ["a"]),
        ("list:array,,", {"list": {"type": "array"}}, ["list"]),
        ("名前:string", {"名前": {"type": "string"}}, ["名前"]),
    ],
)
def test_lists(text: str, properties: dict[str, object], required: list[str]) -> None:
    assert parse_outputs(text) == {"type": "object", "properties": properties, "required": required}


def test_json_schema() -> None:
    text = ' {"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"type": "string"}}, "required": ["a"]}'
    schema = parse_outputs(text)
    assert schema["type"] == "object"
    assert schema["properties"] == {"a": {"$ref": "#/$defs/x"}}


@pytest.mark.parametrize(
    ("text", "message", "found"),
    [
        ("a:strin", "did you mean string?", "a:strin"),
        ("a:xyz", "unknown type", "a:xyz"),
        ("a:", "unknown type", "a:"),
        ("a, a", "a name of its own", "a"),
        (":string", "a name of its own", ":string"),
        ("{", "not JSON", "{"),
        ('{"a": NaN}', "NaN is not JSON", '{"a": NaN}'),
        ('{"a":' * 100_000, "not JSON", '{"a":' * 12),
        ('{"default": "\\ud800"}', "can be stored", None),
        ('{"maximum": 1000000000000000000000000}', "can be stored", None),
        ('{"type": "array"}', "one object", "'array'"),
        ('{"properties": {"a": {"type": "strng"}}}', "not a JSON Schema", None),
        ('{"properties": {"a": {"$ref": "http://192.0.2.1/x"}}}', "leads outside", "http://192.0.2.1/x"),
        ('{"allOf": [{"$ref": "file:///etc/passwd"}]}', "leads outside", "file:///etc/passwd"),
    ],
)
def test_what_is_refused(text: str, message: str, found: str | None) -> None:
    with pytest.raises(OutputsError, match=message.replace("?", r"\?")) as caught:
        parse_outputs(text)
    assert caught.value.allowed
    if found is not None:
        assert caught.value.found == found
