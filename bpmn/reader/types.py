"""Type names of XML Schema, Java and JSON, as JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

JSON_TYPES: Final = ("string", "number", "integer", "boolean", "object", "array")

_WORDS: Final[Mapping[str, str]] = {
    **{name: name for name in JSON_TYPES},
    **dict.fromkeys(("token", "normalizedstring", "text", "anyuri", "date", "datetime", "time", "duration"), "string"),
    **dict.fromkeys(("float", "double", "decimal", "bigdecimal"), "number"),
    **dict.fromkeys(("int", "long", "short", "byte", "biginteger"), "integer"),
    "bool": "boolean",
    **dict.fromkeys(("map", "hashmap", "jsonobject"), "object"),
    **dict.fromkeys(("list", "arraylist", "collection", "jsonarray"), "array"),
}


def schema_of_type(name: str | None) -> Mapping[str, Any] | None:
    """JSON Schema of `xsd:string`, `java.lang.Integer`, `number` and the like; None (anything) for other names."""
    if name is None:
        return None
    word = name.rpartition(":")[2].rpartition(".")[2].lower()
    return {"type": _WORDS[word]} if word in _WORDS else None
