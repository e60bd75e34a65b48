"""Camunda Forms (form-js) as JSON Schema: what a person fills in, by the keys of its components."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson

_TYPES: Final[Mapping[str, dict[str, Any]]] = {
    "textfield": {"type": "string"},
    "textarea": {"type": "string"},
    "datetime": {"type": "string"},
    "number": {"type": "number"},
    "checkbox": {"type": "boolean"},
    "checklist": {"type": "array"},
    "taglist": {"type": "array"},
    "filepicker": {"type": "array"},
    "select": {},
    "radio": {},
}
_MOST: Final = 2_000
"""Components of a form, and levels of groups in it, together."""


class FormError(ValueError):
    """A text that is no form."""


def form_of(text: str | bytes) -> dict[str, Any]:
    """The form that a JSON text is. Raises FormError."""
    try:
        form = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise FormError(f"not JSON: {error}") from error
    if not isinstance(form, dict) or not isinstance(form.get("components"), list):
        raise FormError("a form is an object with a list of components")
    return form


def schema_of(form: Mapping[str, Any]) -> dict[str, Any]:
    """JSON Schema (an object's) of what a form asks for. Raises FormError for a form beyond all measure."""
    schema: dict[str, Any] = {"type": "object", "properties": {}, "required": []}
    todo: list[tuple[Any, dict[str, Any]]] = [(each, schema) for each in reversed(form["components"])]
    seen = 0
    while todo:
        seen += 1
        if seen > _MOST:
            raise FormError(f"more than {_MOST} components")
        component, place = todo.pop()
        if not isinstance(component, dict):
            continue
        inner = component.get("components")
        if isinstance(inner, list):
            below = _holder(component, place)
            todo += [(each, below) for each in reversed(inner)]
        else:
            _add(component, place)
    return schema


def _holder(component: Mapping[str, Any], place: dict[str, Any]) -> dict[str, Any]:
    """Where what a group or list holds goes: a path is an object inside, a dynamic list one for each of its rows."""
    for name in filter(None, str(component.get("path") or "").split(".")):
        rows = component.get("type") == "dynamiclist"
        inner: dict[str, Any] = {"type": "object", "properties": {}, "required": []}
        made = place["properties"].setdefault(name, {"type": "array", "items": inner} if rows else inner)
        place = made.get("items", made)
        place.setdefault("properties", {})
        place.setdefault("required", [])
    return place


def _add(component: Mapping[str, Any], place: dict[str, Any]) -> None:
    key, kind = component.get("key"), component.get("type")
    if not (isinstance(key, str) and key and isinstance(kind, str) and kind in _TYPES):
        return
    if component.get("disabled") is True:
        return
    *path, name = key.split(".")
    place = _holder({"path": ".".join(path)}, place)
    schema = dict(_TYPES[kind])
    choices = _choices(component.get("values"))
    if choices:
        schema = {"type": "array", "items": {"enum": choices}} if schema else {"enum": choices}
    if isinstance(component.get("label"), str):
        schema["title"] = component["label"]
    place["properties"][name] = schema
    rules = component.get("validate")
    if isinstance(rules, dict) and rules.get("required") is True and name not in place["required"]:
        place["required"].append(name)


def _choices(values: Any) -> list[Any]:
    listed: Iterable[Any] = values if isinstance(values, list) else ()
    return [each["value"] for each in listed if isinstance(each, dict) and "value" in each]
