"""Between process variables, which are JSON, and FEEL's values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final

from bpmn.expressions.errors import JSON_VALUES, LimitReached, TypeMismatch
from bpmn.expressions.feel.values.functions import FeelFunction
from bpmn.expressions.feel.values.kinds import phrase
from bpmn.expressions.feel.values.numbers import number_of, to_json
from bpmn.expressions.feel.values.ranges import Range
from bpmn.expressions.feel.values.temporal import Date, DateTime, DaysDuration, MonthsDuration, Time
from bpmn.expressions.feel.values.text import literal
from bpmn.expressions.limits import DEFAULT_LIMITS

_AS_IS: Final = frozenset({str, bool, type(None)})
_AS_TEXT: Final = frozenset({Date, Time, DaysDuration, MonthsDuration})
_OWN: Final = _AS_TEXT | {Decimal, DateTime, Range}
DEPTH: Final = 100
_WHOLE_DIGITS: Final = 307
"""Digits that a whole number of the most bits surely has less than, and a float no more than."""

Charge = Callable[[int], None]


def from_json(value: Any, charge: Charge, depth: int = DEPTH) -> Any:
    """A JSON value as FEEL's; whole numbers and floats become decimals, floats by their shortest text.

    `charge` is told of work in steps. Values that are FEEL's already stay. Raises TypeMismatch, LimitReached.
    """
    kind = type(value)
    if kind in _AS_IS:
        return value
    if kind is int or kind is float:
        return number_of(value)
    if kind is dict or kind is list:
        if depth <= 0:
            raise LimitReached("depth", DEPTH)
        charge(1 + len(value) // 4)
        if kind is list:
            return [from_json(item, charge, depth - 1) for item in value]
        return {key: from_json(item, charge, depth - 1) for key, item in value.items()}
    if kind in _OWN or isinstance(value, FeelFunction):
        return value
    if isinstance(value, Mapping):
        return from_json(dict(value), charge, depth)
    if isinstance(value, tuple):
        return from_json(list(value), charge, depth)
    raise TypeMismatch(JSON_VALUES, reason=f"it holds {phrase(value)}")


def to_json_value(value: Any, charge: Charge, depth: int = DEPTH) -> Any:
    """A FEEL value as JSON: dates, times and durations as ISO 8601 text, ranges as FEEL writes them.

    A function has no JSON form and comes out as it is. Raises LimitReached.
    """
    kind = type(value)
    if kind in _AS_IS:
        return value
    if kind is Decimal:
        return _number(value)
    if kind in _AS_TEXT:
        return str(value)
    if kind is DateTime:
        # ISO 8601 has no names of zones, only offsets.
        zone = None if value.time.zone is None else value.offset
        return str(DateTime(value.date, Time(value.time.nanos, zone)))
    if kind is Range:
        return literal(value)
    if kind is list or kind is dict:
        if depth <= 0:
            raise LimitReached("depth", DEPTH)
        charge(1 + len(value) // 4)
        if kind is list:
            return [to_json_value(item, charge, depth - 1) for item in value]
        return {key: to_json_value(item, charge, depth - 1) for key, item in value.items()}
    return value


def _number(value: Decimal) -> int | float:
    if value.adjusted() > _WHOLE_DIGITS:
        raise LimitReached("integer_bits", DEFAULT_LIMITS.integer_bits)
    return to_json(value)
