"""Functions that make values from others (DMN 1.5, 10.3.4.1)."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, Final, TypeVar

from bpmn.expressions.feel.library.builtin import Library, refused
from bpmn.expressions.feel.semantics.evaluation import Evaluation
from bpmn.expressions.feel.values.moments import months_between
from bpmn.expressions.feel.values.numbers import number_of, truncated, whole
from bpmn.expressions.feel.values.reading import (
    read_date,
    read_datetime,
    read_duration,
    read_time,
    read_zone,
    time_of,
)
from bpmn.expressions.feel.values.temporal import (
    SECOND,
    Date,
    DateTime,
    DaysDuration,
    Duration,
    MonthsDuration,
    Time,
    date_of,
    datetime_at,
    midnight,
)
from bpmn.expressions.feel.values.text import text_of
from bpmn.expressions.feel.values.zones import MOST_OFFSET, local_of

CONVERSION: Final = Library()

ValueT = TypeVar("ValueT")

_NUMBER: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,5})?", re.ASCII)


@CONVERSION.define("date(from: string | date | date and time)")
def _date(_: Evaluation, source: str | Date | DateTime) -> Date:
    if isinstance(source, Date):
        return source
    if isinstance(source, DateTime):
        return source.date
    return _made(read_date(source), "date", source)


@CONVERSION.define("date(year: number, month: number, day: number)")
def _date_of(_: Evaluation, year: Decimal, month: Decimal, day: Decimal) -> Date:
    parts = [whole(part) for part in (year, month, day)]
    if None in parts:
        raise refused("year, month and day are not all whole numbers")
    return _made(date_of(*[part or 0 for part in parts]), "date", f"{year}-{month}-{day}")


@CONVERSION.define("date and time(from: string | date | date and time)")
def _datetime(_: Evaluation, source: str | Date | DateTime) -> DateTime:
    if isinstance(source, DateTime):
        return source
    if isinstance(source, Date):
        return midnight(source)
    return _made(read_datetime(source), "date and time", source)


@CONVERSION.define("date and time(date: date | date and time, time: time)")
def _datetime_of(_: Evaluation, date: Date | DateTime, time: Time) -> DateTime:
    return DateTime(date.date if isinstance(date, DateTime) else date, time)


@CONVERSION.define("date and time(date: date and time, timezone: string)")
def _at_zone(_: Evaluation, moment: DateTime, name: str) -> DateTime:
    """The same moment as clocks in the zone show it; without a zone of its own it is taken for one of UTC."""
    zone = read_zone(name)
    if zone is None:
        raise refused(f"there is no time zone {name[:60]!r}")
    seconds, rest = divmod(moment.value, SECOND)
    made = datetime_at(local_of(zone, seconds) * SECOND + rest, zone)
    if made is None:
        raise refused("no calendar shows this moment")
    return made


@CONVERSION.define("time(from: string | time | date | date and time)")
def _time(_: Evaluation, source: str | Time | Date | DateTime) -> Time:
    if isinstance(source, Time):
        return source
    if isinstance(source, Date):
        return Time(0, 0)
    if isinstance(source, DateTime):
        return source.time
    return _made(read_time(source), "time", source)


@CONVERSION.define(
    "time(hour: number, minute: number, second: number, offset?: days and time duration)"
)
def _time_of(_: Evaluation, hour: Decimal, minute: Decimal, second: Decimal, offset: DaysDuration | None) -> Time:
    hours, minutes = whole(hour), whole(minute)
    nanos = truncated(second * SECOND)
    zone = None if offset is None else offset.nanos // SECOND
    if hours is None or minutes is None or nanos < 0 or (zone is not None and abs(zone) > MOST_OFFSET):
        raise refused("no clock shows this time")
    return _made(time_of(hours, minutes, nanos // SECOND, nanos % SECOND, zone), "time", f"{hour}:{minute}:{second}")


@CONVERSION.define("duration(from: string | duration)")
def _duration(_: Evaluation, source: str | Duration) -> Duration:
    if not isinstance(source, str):
        return source
    made = read_duration(source)
    if made is None:
        raise refused(f"{source[:60]!r} is no duration")
    return made


@CONVERSION.define("years and months duration(from: date | date and time, to: date | date and time)")
def _months(_: Evaluation, start: Date | DateTime, end: Date | DateTime) -> MonthsDuration:
    first, second = (value.date if isinstance(value, DateTime) else value for value in (start, end))
    return months_between(first, second)


@CONVERSION.define("number(from: string | number, grouping separator?: string, decimal separator?: string)")
def _number(_: Evaluation, source: str | Decimal, grouping: str | None, point: str | None) -> Decimal:
    if isinstance(source, Decimal):
        return source
    if grouping not in (None, " ", ",", ".") or point not in (None, ",", ".") or (point and point == grouping):
        raise refused("separators are space, comma or period for groups; comma or period for decimals; not the same")
    text = source.replace(grouping, "") if grouping else source
    if point:
        text = text if point == "." else text.replace(".", "x").replace(point, ".")
    if _NUMBER.fullmatch(text) is None:
        raise refused("the text is no number")
    return _made(number_of(text), "number", source)


@CONVERSION.define("string(from: any)")
def _string(evaluation: Evaluation, source: Any) -> str | None:
    text = text_of(source, evaluation.run.limits.text)
    evaluation.charge(len(text or "") // 64)
    return text


def _made(value: ValueT | None, kind: str, source: Any) -> ValueT:
    if value is None:
        raise refused(f"{str(source)[:60]!r} is no {kind}")
    return value


