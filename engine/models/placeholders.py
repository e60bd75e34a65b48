"""Values that fit a JSON Schema where there is nothing better to put: plain, recognisable, the same each time."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, floor
from typing import Any, Final

_DEEPEST: Final = 12
_FORMATS: Final[Mapping[str, str]] = {
    "date": "2000-01-01",
    "date-time": "2000-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "duration": "P1D",
    "email": "nobody@example.org",
    "hostname": "example.org",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.org/",
    "uuid": "00000000-0000-0000-0000-000000000000",
}
_BY_KEYWORD: Final[Mapping[str, str]] = {
    "properties": "object",
    "required": "object",
    "additionalProperties": "object",
    "items": "array",
    "prefixItems": "array",
    "minItems": "array",
    "minimum": "number",
    "maximum": "number",
    "exclusiveMinimum": "number",
    "exclusiveMaximum": "number",
    "multipleOf": "number",
}

Schema = Mapping[str, Any]


def placeholders(schema: Schema) -> dict[str, Any]:
    """A value for every output that an object's schema names, optional ones too."""
    maker = _Maker(schema)
    return {name: maker.make(part, name) for name, part in maker.resolved(schema).get("properties", {}).items()}


def placeholder(schema: Any, name: str, root: Schema) -> Any:
    """A value for a part of `root`; text tells what it stands for: `<name>`.

    What is optional inside is left out. Fits the schema but for `pattern`, `not` and the like.
    """
    return _Maker(root).make(schema, name)


def resolved(schema: Any, root: Schema) -> dict[str, Any]:
    """A part of `root` with its references followed, and `allOf` and the first of its alternatives merged in."""
    return _Maker(root).resolved(schema)


def type_of(schema: Schema) -> str:
    """The JSON type that a resolved schema allows, the first that is more than null; `string` if it does not say."""
    kind = schema.get("type")
    if isinstance(kind, list):
        return next((each for each in kind if each != "null"), "null")
    if isinstance(kind, str):
        return kind
    return next((implied for keyword, implied in _BY_KEYWORD.items() if keyword in schema), "string")


class _Maker:
    """Makes values for the parts of one schema."""

    def __init__(self, root: Schema) -> None:
        self._root = root

    def make(self, schema: Any, name: str, depth: int = 0) -> Any:
        part = self.resolved(schema)
        if "const" in part:
            return part["const"]
        for given in ("enum", "examples"):
            if part.get(given):
                return part[given][0]
        if "default" in part:
            return part["default"]
        if depth > _DEEPEST:
            return None
        return self._of_type(type_of(part), part, name, depth)

    def resolved(self, schema: Any) -> dict[str, Any]:
        part = dict(schema) if isinstance(schema, Mapping) else {}
        for _ in range(_DEEPEST):
            inner: list[Any] = []
            if "$ref" in part:
                inner.append(self._referred(part.pop("$ref")))
            inner += part.pop("allOf", [])
            for alternatives in ("oneOf", "anyOf"):
                inner += _first_real(part.pop(alternatives, []))
            if not inner:
                break
            for each in inner:
                part = _merged(part, each)
        return part

    def _referred(self, reference: str) -> Any:
        """What a reference inside the schema points to; anything else allows everything."""
        part: Any = self._root
        for step in reference.removeprefix("#").split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            part = part.get(key) if isinstance(part, Mapping) else None
        return part if isinstance(part, Mapping) and reference.startswith("#") else {}

    def _of_type(self, kind: str, part: Schema, name: str, depth: int) -> Any:
        if kind == "object":
            return self._object(part, depth)
        if kind == "array":
            return self._array(part, name, depth)
        if kind in ("integer", "number"):
            return _number(part, whole=kind == "integer")
        if kind == "boolean":
            return True
        return None if kind == "null" else _text(part, name)

    def _object(self, part: Schema, depth: int) -> dict[str, Any]:
        properties = part.get("properties", {})
        return {name: self.make(properties.get(name, {}), name, depth + 1) for name in part.get("required", [])}

    def _array(self, part: Schema, name: str, depth: int) -> list[Any]:
        first = part.get("prefixItems", [])
        count = max(1, len(first), part.get("minItems", 0))
        count = min(count, part.get("maxItems", count))
        if part.get("items") is False:
            count = min(count, len(first))
        schemas = [*first, *[part.get("items", {})] * count][:count]
        named = [name if count == 1 else f"{name} {place}" for place in range(1, count + 1)]
        return [self.make(schema, one, depth + 1) for schema, one in zip(schemas, named, strict=True)]


def _first_real(alternatives: list[Any]) -> list[Any]:
    """The first alternative that is more than null."""
    real = [each for each in alternatives if not (isinstance(each, Mapping) and each.get("type") == "null")]
    return (real or alternatives)[:1]


def _merged(part: dict[str, Any], other: Any) -> dict[str, Any]:
    """Both at once, as far as that is said by keywords: what `part` says stands, objects and lists are joined."""
    if not isinstance(other, Mapping):
        return part
    merged = {**other, **part}
    for keyword in ("properties", "$defs"):
        if keyword in part and keyword in other:
            merged[keyword] = {**other[keyword], **part[keyword]}
    if "required" in part and "required" in other:
        merged["required"] = list(dict.fromkeys([*part["required"], *other["required"]]))
    return merged


def _number(part: Schema, *, whole: bool) -> float:
    """The number nearest to 0 that the bounds allow."""
    step = part.get("multipleOf") or (1 if whole else None)
    low = _bound(part, "minimum", "exclusiveMinimum", step, up=True)
    high = _bound(part, "maximum", "exclusiveMaximum", step, up=False)
    if low is not None and high is not None and low > high:
        # Between two exclusive bounds that are less than a step apart.
        return float(part.get("exclusiveMinimum", low) + part.get("exclusiveMaximum", high)) / 2
    if low is not None and low > 0:
        return low
    return high if high is not None and high < 0 else 0


def _bound(part: Schema, inclusive: str, exclusive: str, step: float | None, *, up: bool) -> float | None:
    bounds: list[float] = []
    if inclusive in part:
        bounds.append(_on_step(part[inclusive], step, up=up))
    if exclusive in part:
        edge = _on_step(part[exclusive], step, up=up)
        further = (step or 1) if up else -(step or 1)
        bounds.append(edge + further if edge == part[exclusive] else edge)
    if not bounds:
        return None
    return max(bounds) if up else min(bounds)


def _on_step(value: float, step: float | None, *, up: bool) -> float:
    if step is None:
        return value
    return (ceil(value / step) if up else floor(value / step)) * step


def _text(part: Schema, name: str) -> str:
    text = _FORMATS.get(part.get("format", ""), f"<{name}>")
    text = text.ljust(part.get("minLength", 0), ".")
    return text[: part["maxLength"]] if "maxLength" in part else text
