"""Whether what an activity produced is what it declares. Nothing is coerced: a wrong type is a problem."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from engine.activities.work import MISSING, MISTYPED
from governance.snapshots.canonical import canonical

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_SHOWN: Final = 60


def declared(outputs: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Those of `outputs` that the schema names; all of them where it names none."""
    names = schema.get("properties")
    return dict(outputs) if names is None else {name: outputs[name] for name in names if name in outputs}


def problems(outputs: Mapping[str, Any], schema: Mapping[str, Any]) -> tuple[str, ...]:
    """What is wrong with the outputs, by the object's JSON Schema (2020-12); sorted, each once.

    `missing: NAME`, or `mistyped: NAME (found X, expected Y)`, with the place inside the value where it is not the
    value itself: `mistyped: NAME (at [0].score: found X, expected Y)`.
    """
    # Imported here: a run without declared outputs does without.
    from jsonschema import Draft202012Validator

    errors = Draft202012Validator(schema).iter_errors(dict(outputs))
    return tuple(sorted({told for error in errors for told in _told(error)}))


def _told(error: ValidationError) -> Iterable[str]:
    found: Any = error.instance
    if error.validator == "required" and not error.absolute_path:
        names: Any = error.validator_value
        return [f"{MISSING}{name}" for name in names if name not in found]
    name, place = _place(list(error.absolute_path))
    at = f"at {place}: " if place else ""
    return [f"{MISTYPED}{name} ({at}found {_found(found)}, expected {_expected(error)})"]


def _place(path: list[str | int]) -> tuple[str, str]:
    """The output's name, and the place inside it; what concerns all outputs together has no name of its own."""
    if not path:
        return "outputs", ""
    steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path[1:])
    return str(path[0]), steps.removeprefix(".")


def _found(value: Any) -> str:
    text = canonical(value).decode()
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _expected(error: ValidationError) -> str:
    tell = _EXPECTED.get(str(error.validator))
    return "what its schema allows" if tell is None else tell(error.validator_value)


def _types(value: Any) -> str:
    return " or ".join([value] if isinstance(value, str) else value)


def _one_of(values: list[Any]) -> str:
    return "one of " + ", ".join(map(_found, values))


_EXPECTED: Final[Mapping[str, Callable[[Any], str]]] = {
    "type": _types,
    "enum": _one_of,
    "const": _found,
    "minimum": lambda bound: f"at least {bound}",
    "maximum": lambda bound: f"at most {bound}",
    "exclusiveMinimum": lambda bound: f"more than {bound}",
    "exclusiveMaximum": lambda bound: f"less than {bound}",
    "multipleOf": lambda unit: f"a multiple of {unit}",
    "minLength": lambda length: f"at least {length} characters",
    "maxLength": lambda length: f"at most {length} characters",
    "pattern": lambda pattern: f"text that matches {pattern}",
    "minItems": lambda count: f"at least {count} items",
    "maxItems": lambda count: f"at most {count} items",
    "uniqueItems": lambda _: "items that differ",
    "required": lambda names: f"an object with {', '.join(names)}",
    "additionalProperties": lambda _: "no further fields",
}
