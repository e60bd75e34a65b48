"""Functions on dates, the clock, and identity (DMN 1.5, 10.3.4.7, 10.3.4.11, 10.3.4.12)."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from bpmn.expressions.feel.library.builtin import Library, refused
from bpmn.expressions.feel.semantics.evaluation import Evaluation
from bpmn.expressions.feel.values.calendar import day_number, week_of_year, weekday
from bpmn.expressions.feel.values.compare import same
from bpmn.expressions.feel.values.temporal import SECOND, Date, DateTime, Time
from bpmn.expressions.feel.values.weight import weigh

DATES: Final = Library()

_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def _day(value: Date | DateTime) -> Date:
    return value.date if isinstance(value, DateTime) else value


@DATES.define("day of year(date: date | date and time)")
def _day_of_year(_: Evaluation, value: Date | DateTime) -> Decimal:
    date = _day(value)
    return Decimal(date.number - day_number(date.year, 1, 1) + 1)


@DATES.define("day of week(date: date | date and time)")
def _day_of_week(_: Evaluation, value: Date | DateTime) -> str:
    return _DAYS[weekday(_day(value).number) - 1]


@DATES.define("month of year(date: date | date and time)")
def _month_of_year(_: Evaluation, value: Date | DateTime) -> str:
    return _MONTHS[_day(value).month - 1]


@DATES.define("week of year(date: date | date and time)")
def _week_of_year(_: Evaluation, value: Date | DateTime) -> Decimal:
    date = _day(value)
    return Decimal(week_of_year(date.year, date.number))


@DATES.define("now()")
def _now(evaluation: Evaluation) -> DateTime:
    moment = _moment(evaluation)
    clock = (moment.hour * 3600 + moment.minute * 60 + moment.second) * SECOND + moment.microsecond * 1000
    offset = moment.utcoffset()
    zone = None if offset is None else int(offset.total_seconds())
    return DateTime(Date(moment.year, moment.month, moment.day), Time(clock, zone))


@DATES.define("today()")
def _today(evaluation: Evaluation) -> Date:
    moment = _moment(evaluation)
    return Date(moment.year, moment.month, moment.day)


def _moment(evaluation: Evaluation) -> datetime:
    now = evaluation.run.outside.now
    if now is None:
        raise refused("the time is not known here")
    return now


@DATES.define("is(value1: any, value2: any)")
def _is(evaluation: Evaluation, left: Any, right: Any) -> bool:
    """Whether two values are the same, of the same kind, with the same zone."""
    weigh(left, evaluation.charge)
    if type(left) is not type(right):
        return False
    if isinstance(left, Date | Time | DateTime):
        return bool(left == right)
    return same(left, right)
