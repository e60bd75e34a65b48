"""Where JUEL means something else than Python: equality with coercion, truth, empty, fields of nothing (JSR 341, 1.8).

Coercions that would guess (text to a date, an object to text) are not made: types that do not go together are told.
"""

from __future__ import annotations

from typing import Any, Final

from bpmn.expressions.errors import InvalidValue, TypeMismatch
from bpmn.expressions.operations import arithmetic, comparison, containers
from bpmn.expressions.operations.rendering import to_text
from bpmn.expressions.run import Run
from bpmn.expressions.values import CONTAINERS, NUMBERS

_TRUTHS: Final = {"true": True, "false": False}


def truth(value: Any) -> bool:
    """A value where a condition is wanted: nothing is false, text says `true` or it is false; else TypeMismatch."""
    if value is None or value is False:
        return False
    if value is True:
        return True
    if type(value) is str:
        return value.strip().lower() == "true"
    raise TypeMismatch("true, false, null, or text that says so", value, reason="")


def equal(run: Run, left: Any, right: Any) -> bool:
    """With a truth value on one side text is read as one; with a number on one side text is read as a number."""
    kinds = {type(left), type(right)}
    if str in kinds and len(kinds) == 2:
        text, other = (left, right) if type(left) is str else (right, left)
        if type(other) is bool:
            return _TRUTHS.get(text.strip().lower(), False) is other
        if type(other) in NUMBERS:
            return bool(_number(text) == other)
    if bool in kinds and len(kinds) == 2:
        return False
    return comparison.equal(run, left, right)


def not_equal(run: Run, left: Any, right: Any) -> bool:
    return not equal(run, left, right)


def add(run: Run, left: Any, right: Any) -> Any:
    """Numbers; text that is a number counts as one, and other text is put together."""
    if str in (type(left), type(right)):
        numbers = [_number(value) if type(value) is str else value for value in (left, right)]
        if all(type(value) in NUMBERS for value in numbers):
            return arithmetic.add(run, *numbers)
        return arithmetic.add(run, whole_text(run, left), whole_text(run, right))
    return arithmetic.add(run, left, right)


def is_empty(value: Any) -> bool:
    """`empty x`: nothing, no text, or nothing in it."""
    return value is None or value == "" or (type(value) in CONTAINERS and not value)


def field(run: Run, value: Any, name: str) -> Any:
    """`value.name`: null of null, and of an object that has no such field."""
    if value is None:
        return None
    if type(value) is dict:
        return value.get(name)
    return containers.field(run, value, name)


def item(run: Run, value: Any, key: Any) -> Any:
    """`value[key]`: null of null, and where an object or list has nothing there."""
    if value is None or key is None:
        return None
    if type(value) is dict:
        return value.get(key if type(key) is str else whole_text(run, key))
    if type(value) is list and type(key) is int and not -len(value) <= key < len(value):
        return None
    return containers.item(run, value, key)


def _number(text: str) -> float | None:
    try:
        return int(text) if text.strip().lstrip("+-").isdigit() else float(text)
    except (ValueError, OverflowError):
        return None


def whole_text(run: Run, value: Any) -> str:
    """A value inside a text with placeholders: nothing is no text."""
    if value is None:
        return ""
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) in CONTAINERS:
        raise InvalidValue("a list or object cannot be put into a text")
    return to_text(run, value)
