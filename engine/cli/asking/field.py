"""One value of a form: how to ask for it, and what a line of text means."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from engine.cli.variables import json_or_text
from engine.json_text import compact
from engine.json_text import parse as parse_json
from engine.models.placeholders import type_of

_HINTS = {"boolean": "yes or no", "integer": "a whole number", "number": "a number", "object": "JSON"}
_YES, _NO = ("y", "yes", "true", "1"), ("n", "no", "false", "0")


class NotThat(ValueError):
    """Text that does not stand for a value of the field."""


def hint(part: Mapping[str, Any]) -> str:
    """What to type; `part` is a resolved JSON Schema."""
    if "enum" in part:
        return ", ".join(f"{number} {_spoken(value)}" for number, value in enumerate(part["enum"], 1))
    kind = type_of(part)
    if kind == "array":
        return "several, with commas between" if _is_list_of_words(part) else "a list, as JSON"
    return _HINTS.get(kind, "text")


def parse(text: str, part: Mapping[str, Any]) -> Any:
    """The value that a line stands for. Raises NotThat."""
    if "enum" in part:
        return _one_of(text, part["enum"])
    if not part:
        return json_or_text(text)
    kind = type_of(part)
    if kind == "boolean":
        return _truth(text)
    if kind in ("integer", "number"):
        return _number(text, whole=kind == "integer")
    if kind == "array" and not text.startswith("["):
        items = part.get("items", {})
        return [parse(item.strip(), items if isinstance(items, dict) else {}) for item in text.split(",")]
    if kind in ("array", "object"):
        return _json(text)
    return None if kind == "null" else text


def spoken_default(part: Mapping[str, Any]) -> str:
    """The default as a person would type it; "" if there is none."""
    return _spoken(part["default"]) if "default" in part else ""


def _one_of(text: str, allowed: list[Any]) -> Any:
    for value in allowed:
        if text == _spoken(value):
            return value
    if text.isdigit() and 1 <= int(text) <= len(allowed):
        return allowed[int(text) - 1]
    raise NotThat(f"{text} is none of {', '.join(map(_spoken, allowed))}")


def _truth(text: str) -> bool:
    if text.lower() in _YES or text.lower() in _NO:
        return text.lower() in _YES
    raise NotThat(f"{text} is neither yes nor no")


def _number(text: str, *, whole: bool) -> int | float:
    try:
        value = parse_json(text)
    except json.JSONDecodeError:
        value = None
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        raise NotThat(f"{text} is no {'whole number' if whole else 'number'}")
    return value


def _json(text: str) -> Any:
    try:
        return parse_json(text)
    except json.JSONDecodeError as error:
        raise NotThat(f"not JSON: {error.msg} at character {error.pos}") from None


def _is_list_of_words(part: Mapping[str, Any]) -> bool:
    items = part.get("items", {})
    return isinstance(items, dict) and type_of(items) not in ("array", "object")


def _spoken(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else compact(value)
