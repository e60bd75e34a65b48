"""Properties of values that are no contexts (DMN 1.5, table 65)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from bpmn.expressions.feel.values.calendar import weekday
from bpmn.expressions.feel.values.numbers import CONTEXT
from bpmn.expressions.feel.values.ranges import Range
from bpmn.expressions.feel.values.temporal import (
    DAY,
    SECOND,
    Date,
    DateTime,
    DaysDuration,
    MonthsDuration,
    Time,
)

NO_PROPERTY: Final = object()

Property = Callable[[Any], Any]

_DATE: Final[Mapping[str, Property]] = {
    "year": lambda date: Decimal(date.year),
    "month": lambda date: Decimal(date.month),
    "day": lambda date: Decimal(date.day),
    "weekday": lambda date: Decimal(weekday(date.number)),
}


def _seconds_of(time: Time) -> Decimal:
    return CONTEXT.divide(Decimal(time.nanos % (60 * SECOND)), Decimal(SECOND))


def _offset(time: Time) -> DaysDuration | None:
    return DaysDuration(time.zone * SECOND) if isinstance(time.zone, int) else None


def _datetime_offset(moment: DateTime) -> DaysDuration | None:
    return None if moment.time.zone is None else DaysDuration(moment.offset * SECOND)


_TIME: Final[Mapping[str, Property]] = {
    "hour": lambda time: Decimal(time.nanos // (3600 * SECOND)),
    "minute": lambda time: Decimal(time.nanos // (60 * SECOND) % 60),
    "second": _seconds_of,
    "time offset": _offset,
    "timezone": lambda time: time.zone if isinstance(time.zone, str) else None,
}


def _part(unit: int, limit: int | None) -> Property:
    """A part of a days and time duration, with the sign of the whole."""

    def part(duration: DaysDuration) -> Decimal:
        amount = abs(duration.nanos) // unit
        amount = amount if limit is None else amount % limit
        return Decimal(-amount if duration.nanos < 0 else amount)

    return part


def _seconds(duration: DaysDuration) -> Decimal:
    amount = CONTEXT.divide(Decimal(abs(duration.nanos) % (60 * SECOND)), Decimal(SECOND))
    return CONTEXT.minus(amount) if duration.nanos < 0 else amount


def _months(duration: MonthsDuration) -> tuple[Decimal, Decimal]:
    sign = -1 if duration.months < 0 else 1
    years, months = divmod(abs(duration.months), 12)
    return Decimal(sign * years), Decimal(sign * months)


def _of_date(get: Property) -> Property:
    return lambda moment: get(moment.date)


def _of_time(get: Property) -> Property:
    return lambda moment: get(moment.time)


PROPERTIES: Final[Mapping[type, Mapping[str, Property]]] = MappingProxyType({
    Date: _DATE,
    Time: _TIME,
    DateTime: {
        **{key: _of_date(get) for key, get in _DATE.items()},
        **{key: _of_time(get) for key, get in _TIME.items()},
        "time offset": _datetime_offset,
    },
    DaysDuration: {
        "days": _part(DAY, None),
        "hours": _part(3600 * SECOND, 24),
        "minutes": _part(60 * SECOND, 60),
        "seconds": _seconds,
    },
    MonthsDuration: {
        "years": lambda duration: _months(duration)[0],
        "months": lambda duration: _months(duration)[1],
    },
    Range: {
        "start": lambda span: span.start,
        "end": lambda span: span.end,
        "start included": lambda span: span.start_included,
        "end included": lambda span: span.end_included,
    },
})
"""By the kind of value, what a path may name."""


def property_of(value: Any, key: str) -> Any:
    """A property of a value, NO_PROPERTY if it has none of that name."""
    found = PROPERTIES.get(type(value))
    get = None if found is None else found.get(key)
    return NO_PROPERTY if get is None else get(value)
