"""Equality and order of values (DMN 1.5, 10.3.2.13). None says that two values cannot be compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from bpmn.expressions.feel.values.ranges import Range
from bpmn.expressions.feel.values.temporal import SECOND, Date, DateTime, DaysDuration, MonthsDuration, Time


def equal(left: Any, right: Any) -> bool | None:
    """Whether two values are equal; values of different kinds are neither."""
    if left is None or right is None:
        return left is right
    kind = type(left)
    if kind is not type(right):
        return None
    if kind is list:
        return _equal_lists(left, right)
    if kind is dict:
        return _equal_contexts(left, right)
    if kind is Range:
        return _equal_ranges(left, right)
    if kind in _CLOCKS:
        return _instants(left, right) == 0
    measure = _MEASURES.get(kind)
    if measure is None:
        return True if left is right else None if kind not in _PLAIN else bool(left == right)
    return bool(measure(left) == measure(right))


def order(left: Any, right: Any) -> int | None:
    """Below, at or above 0 as `left` comes before, with or after `right`."""
    kind = type(left)
    if kind is not type(right):
        return None
    if kind in _ORDERED:
        return 0 if left == right else -1 if left < right else 1
    if kind in _CLOCKS:
        return _instants(left, right)
    measure = _MEASURES.get(kind)
    if measure is None:
        return None
    first, second = measure(left), measure(right)
    return 0 if first == second else -1 if first < second else 1


def same(left: Any, right: Any) -> bool:
    """Whether two values are equal, for functions that look for one among others."""
    return equal(left, right) is True


def holds(span: Range, value: Any) -> bool | None:
    """Whether a value is in a range; None where it cannot be compared with its ends."""
    if span.operator in ("=", "!="):
        found = equal(value, span.start)
        return None if found is None else found is (span.operator == "=")
    if span.start is None and span.end is None:
        return None
    inside = True
    for end, included, sign in ((span.start, span.start_included, 1), (span.end, span.end_included, -1)):
        if end is None:
            continue
        place = order(value, end)
        if place is None:
            return None
        inside = inside and (place * sign > 0 or (included and place == 0))
    return inside


def _equal_lists(left: list[Any], right: list[Any]) -> bool | None:
    if len(left) != len(right):
        return False
    return _all(equal(*pair) for pair in zip(left, right, strict=True))


def _equal_contexts(left: dict[str, Any], right: dict[str, Any]) -> bool | None:
    if left.keys() != right.keys():
        return False
    return _all(equal(value, right[key]) for key, value in left.items())


def _equal_ranges(left: Range, right: Range) -> bool | None:
    if (left.operator, left.start_included, left.end_included) != (
        right.operator,
        right.start_included,
        right.end_included,
    ):
        return False
    return _all((equal(left.start, right.start), equal(left.end, right.end)))


def _all(results: Any) -> bool | None:
    found: bool | None = True
    for result in results:
        if result is False:
            return False
        if result is None:
            found = None
    return found


def _instants(left: Any, right: Any) -> int:
    """Below, at or above 0 as one time, or date and time, is before, with or after another, in whole seconds.

    One without a zone is taken to be in that of the other (DMN 1.5, table 54).
    """
    first: int = _in_zone_of(left, right).value // SECOND
    second: int = _in_zone_of(right, left).value // SECOND
    return first - second


def _in_zone_of(moment: Any, other: Any) -> Any:
    if type(moment) is Time:
        return Time(moment.nanos, other.zone) if moment.zone is None else moment
    if moment.time.zone is not None:
        return moment
    return DateTime(moment.date, Time(moment.time.nanos, other.time.zone))


_CLOCKS: Final = frozenset({Time, DateTime})
_PLAIN: Final = frozenset({Decimal, str, bool})
_ORDERED: Final = frozenset({Decimal, str})
_MEASURES: Final[Mapping[type, Callable[[Any], Any]]] = MappingProxyType({
    Date: lambda date: date.number,
    DaysDuration: lambda duration: duration.nanos,
    MonthsDuration: lambda duration: duration.months,
})
