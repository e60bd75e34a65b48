"""The `outputs` of `<gov:agent>`: JSON Schema text, or a list such as `risk:number, note:string, source?`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import orjson

from bpmn.findings import near_match
from bpmn.reader.types import JSON_TYPES

_SEPARATOR = re.compile(r"[,\n]")


class OutputsError(ValueError):
    """Text that declares no outputs; `found` is the part that is wrong, `allowed` what could stand there."""

    def __init__(self, message: str, found: str, allowed: tuple[str, ...]) -> None:
        self.found, self.allowed = found, allowed
        super().__init__(message)


def parse_outputs(text: str) -> Mapping[str, Any]:
    """JSON Schema, of type object, of the outputs that `text` declares.

    Raises `OutputsError`.
    """
    return _parse_schema(text) if text.lstrip().startswith("{") else _parse_list(text)


def _parse_list(text: str) -> Mapping[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    for part in filter(None, (part.strip() for part in _SEPARATOR.split(text))):
        name, colon, kind = (piece.strip() for piece in part.partition(":"))
        optional = name.endswith("?")
        name = name.rstrip("? ")
        if not name or name in properties:
            raise OutputsError("an output has a name of its own", part, ("name:type", "name?:type", "name"))
        if colon and kind not in JSON_TYPES:
            near = near_match(kind, JSON_TYPES)
            raise OutputsError("unknown type" + (f"; did you mean {near}?" if near else ""), part, JSON_TYPES)
        properties[name] = {"type": kind} if colon else {}
        if not optional:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required}


def _parse_schema(text: str) -> Mapping[str, Any]:
    try:
        schema = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise OutputsError(f"not JSON: {error}", text[:60], ("JSON Schema", "name:type, name:type")) from error
    if schema.get("type", "object") != "object":
        raise OutputsError("the outputs of an activity are one object", repr(schema["type"]), ('"type": "object"',))
    _check_storable(schema, text)
    _check_schema(schema)
    _refuse_remote(schema)
    return {"type": "object", **schema}


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _check_storable(schema: Any, text: str) -> None:
    """Definitions are stored as JSON in UTF-8, which has neither half surrogates nor integers of any size."""
    try:
        orjson.dumps(schema)
    except orjson.JSONEncodeError as error:
        raise OutputsError(f"not JSON that can be stored: {error}", text[:60], ("JSON Schema",)) from error


def _check_schema(schema: Any) -> None:
    # Imported here, since only files that write out a schema should pay for it.
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except (SchemaError, RecursionError) as error:
        reason = error.message if isinstance(error, SchemaError) else "nested too deep"
        raise OutputsError(f"not a JSON Schema: {reason}", str(schema)[:60], ("JSON Schema 2020-12",)) from error


def _refuse_remote(schema: Any) -> None:
    """A validator would fetch what a reference to another document names: a file must not make it do so."""
    stack = [schema]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            for key in ("$ref", "$dynamicRef"):
                value = part.get(key)
                if isinstance(value, str) and not value.startswith("#"):
                    raise OutputsError("a reference leads outside the schema", value, ("#/$defs/...",))
            stack.extend(part.values())
        elif isinstance(part, list):
            stack.extend(part)
