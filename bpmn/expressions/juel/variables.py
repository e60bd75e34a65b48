"""Flowable's functions on variables: `var:eq(total, 5)`, whose first argument names a variable that may be missing."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from bpmn.expressions.errors import TypeMismatch
from bpmn.expressions.juel import operations
from bpmn.expressions.operations import comparison
from bpmn.expressions.run import Run
from bpmn.expressions.values import MISSING, NUMBERS

PREFIXES: Final = ("variables", "vars", "var")
_MANY: Final = 100
"""Arguments of one call."""


def _get(run: Run, value: Any) -> Any:
    return None if value is MISSING else value


def _exists(run: Run, value: Any) -> bool:
    return value is not MISSING and value is not None


def _empty(run: Run, value: Any) -> bool:
    return operations.is_empty(_get(run, value))


def _equal(run: Run, value: Any, other: Any) -> bool:
    """Values of one type; numbers whatever they are written as. No text is read as a number."""
    value = _get(run, value)
    numbers = type(value) in (int, float) and type(other) in (int, float)
    return (numbers or type(value) is type(other)) and comparison.equal(run, value, other)


def _comparing(compare: operations.Operation) -> Callable[..., bool]:
    def compared(run: Run, value: Any, other: Any) -> bool:
        """False where there is no value; else two numbers or two texts."""
        value = _get(run, value)
        if value is None:
            return False
        numbers = {type(value), type(other)} <= NUMBERS - {bool}
        if not numbers and not type(value) is type(other) is str:
            raise TypeMismatch("two numbers or two texts", value, other)
        return bool(compare(run, value, other))

    return compared


def _contains(run: Run, value: Any, *wanted: Any) -> bool:
    """Whether all are in it: pieces of a text, items of a list, keys of an object."""
    value = _get(run, value)
    return value is not None and all(_is_in(run, each, value) for each in wanted)


def _contains_any(run: Run, value: Any, *wanted: Any) -> bool:
    value = _get(run, value)
    return value is not None and any(_is_in(run, each, value) for each in wanted)


def _is_in(run: Run, wanted: Any, value: Any) -> bool:
    if type(value) is list:
        return any(_equal(run, each, wanted) for each in value)
    return comparison.contained(run, wanted, value)


def _base64(run: Run, value: Any) -> str | None:
    value = _get(run, value)
    if value is not None and type(value) is not str:
        raise TypeMismatch("text", value, operand=0)
    return None if value is None else b64encode(value.encode()).decode()


_ORDERS: Final = {
    ("lowerThan", "lessThan", "lt"): _comparing(operations.less),
    ("lowerThanOrEquals", "lessThanOrEquals", "lte"): _comparing(operations.less_or_equal),
    ("greaterThan", "gt"): _comparing(operations.greater),
    ("greaterThanOrEquals", "gte"): _comparing(operations.greater_or_equal),
}
FUNCTIONS: Final[Mapping[str, tuple[int, int, Callable[..., Any]]]] = MappingProxyType({
    "get": (0, 0, _get),
    "getOrDefault": (1, 1, lambda run, value, default: default if _get(run, value) is None else value),
    "exists": (0, 0, _exists),
    **dict.fromkeys(("isEmpty", "empty"), (0, 0, _empty)),
    **dict.fromkeys(("isNotEmpty", "notEmpty"), (0, 0, lambda run, value: not _empty(run, value))),
    **dict.fromkeys(("equals", "eq"), (1, 1, _equal)),
    **dict.fromkeys(("notEquals", "ne"), (1, 1, lambda run, value, other: not _equal(run, value, other))),
    **{name: (1, 1, compare) for names, compare in _ORDERS.items() for name in names},
    "contains": (1, _MANY, _contains),
    "containsAny": (1, _MANY, _contains_any),
    "base64": (0, 0, _base64),
})
"""By name: the least and the most arguments after the variable, and what is called with the run, its value (MISSING:
there is none) and the arguments.
"""
