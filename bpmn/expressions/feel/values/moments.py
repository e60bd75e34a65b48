"""Arithmetic on dates, times and durations (DMN 1.5, 10.3.2.5). None where a result is beyond the calendar."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from bpmn.expressions.feel.values.calendar import days_in_month
from bpmn.expressions.feel.values.numbers import CONTEXT, truncated
from bpmn.expressions.feel.values.temporal import (
    DAY,
    SECOND,
    Date,
    DateTime,
    DaysDuration,
    MonthsDuration,
    Time,
    date_numbered,
    date_of,
    datetime_at,
)
from bpmn.expressions.feel.values.zones import local_of


def date_plus_days(date: Date, duration: DaysDuration) -> Date | None:
    """From the date's midnight; the clock of the result is dropped."""
    return date_numbered((date.number * DAY + duration.nanos) // DAY)


def date_plus_months(date: Date, duration: MonthsDuration) -> Date | None:
    """The last day of a shorter month stands for days it does not have."""
    years, month = divmod(date.month - 1 + duration.months, 12)
    year = date.year + years
    return date_of(year, month + 1, min(date.day, days_in_month(year, month + 1)))


def datetime_plus_days(moment: DateTime, duration: DaysDuration) -> DateTime | None:
    """Later by so much elapsed time, on the clock of its zone."""
    zone = moment.time.zone
    if not isinstance(zone, str):
        return datetime_at(moment.local + duration.nanos, zone)
    seconds, nanos = divmod(moment.value + duration.nanos, SECOND)
    return datetime_at(local_of(zone, seconds) * SECOND + nanos, zone)


def datetime_plus_months(moment: DateTime, duration: MonthsDuration) -> DateTime | None:
    date = date_plus_months(moment.date, duration)
    return None if date is None else DateTime(date, moment.time)


def time_plus(time: Time, duration: DaysDuration) -> Time:
    """Past midnight the clock begins again."""
    return Time((time.nanos + duration.nanos) % DAY, time.zone)


def between(later: Date | DateTime, earlier: Date | DateTime) -> DaysDuration | None:
    """The time between two; beside a date and time a date is its midnight in UTC. None if only one has a zone."""
    if isinstance(later, Date) and isinstance(earlier, Date):
        return DaysDuration((later.number - earlier.number) * DAY)
    first, second = _in_utc(later), _in_utc(earlier)
    if (first.time.zone is None) != (second.time.zone is None):
        return None
    return DaysDuration(first.value - second.value)


def _in_utc(moment: Date | DateTime) -> DateTime:
    return DateTime(moment, Time(0, 0)) if isinstance(moment, Date) else moment


def between_times(later: Time, earlier: Time) -> DaysDuration | None:
    if (later.zone is None) != (earlier.zone is None):
        return None
    return DaysDuration(later.value - earlier.value)


def days_times(duration: DaysDuration, factor: Decimal, *, over: bool = False) -> DaysDuration | None:
    """The duration times a number, or `over` it, cut to nanoseconds."""
    nanos = _scaled(duration.nanos, factor, over)
    return None if nanos is None else DaysDuration(nanos)


def months_times(duration: MonthsDuration, factor: Decimal, *, over: bool = False) -> MonthsDuration | None:
    """The duration times a number, or `over` it, cut to months."""
    months = _scaled(duration.months, factor, over)
    return None if months is None else MonthsDuration(months)


def _scaled(amount: int, factor: Decimal, over: bool) -> int | None:
    operation: Any = CONTEXT.divide if over else CONTEXT.multiply
    result: Decimal = operation(Decimal(amount), factor)
    return truncated(result) if result.is_finite() and result.adjusted() < 33 else None


def months_between(start: Date, end: Date) -> MonthsDuration:
    """Whole months from `start` to `end`; negative if it is before."""
    months = (end.year - start.year) * 12 + end.month - start.month
    if months > 0 and end.day < start.day:
        months -= 1
    if months < 0 and end.day > start.day:
        months += 1
    return MonthsDuration(months)
