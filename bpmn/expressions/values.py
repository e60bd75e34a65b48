"""The values that expressions work on, by exact type, and private copies of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bpmn.expressions.describe import phrase
from bpmn.expressions.errors import JSON_VALUES, TypeMismatch


class Missing:
    """The type of MISSING, which stands where there is no value; None is a value."""


MISSING: Final = Missing()

SCALARS = frozenset({type(None), bool, int, float, str})
WHOLE = frozenset({int, bool})
NUMBERS = frozenset({int, float, bool})
MUTABLE = frozenset({list, dict})
CONTAINERS = frozenset({list, dict, tuple, set})

Copier = Callable[[Any], Any]


def copy_deep(value: Any) -> Any:
    """A copy of a JSON value that shares nothing changeable with it. Raises TypeMismatch."""
    kind = type(value)
    if kind in SCALARS:
        return value
    if kind is list:
        return [item if type(item) in SCALARS else copy_deep(item) for item in value]
    if kind is dict:
        return {key: item if type(item) in SCALARS else copy_deep(item) for key, item in value.items()}
    raise TypeMismatch(JSON_VALUES, reason=f"it holds {phrase(value)}")


def copy_shallow(value: Any) -> Any:
    """A copy of a list or object whose items stay shared: enough where only the value itself is changed."""
    return value.copy()
