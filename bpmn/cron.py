"""Cron texts of timers, in the forms that dialects write them.

Five fields are those of Unix: minute, hour, day of month, month, day of week (0 or 7: Sunday). With six or seven the
first are seconds and the last a year; both days must fit, where in Unix's form either does. Days of the week then
count from 1, Sunday, in Quartz's form (Camunda 7, Operaton, Flowable, Activiti), and as in Unix in Camunda 8's.
"""

from __future__ import annotations

import re
from calendar import SATURDAY, SUNDAY, monthrange, weekday
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

CRON_FORMS: Final = ("0 0/5 * * * ?", "0 0 9 ? * MON-FRI", "@daily")
_DAYS: Final = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_MACROS: Final = frozenset({"@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"})
_FIELD: Final = re.compile(r"[0-9A-Za-z*?,/#-]{1,120}")
_FROM_END: Final = re.compile(r"L(?:-(\d{1,2}))?(W)?")
_YEARS: Final = re.compile(r"(\d{4})(?:-(\d{4}))?(?:/(\d{1,3}))?")
_LAST: Final = 2199
_FARTHEST: Final = 50
"""Years after which a text that named no moment yet is taken to name none: leap days come every eight at the most."""


@dataclass(frozen=True, slots=True)
class FromEnd:
    """A day counted from the end of its month (Quartz's `LW`, `L-3`, `L-3W`)."""

    before: int
    """How many days before the last one."""
    working: bool
    """Whether the nearest day from Monday to Friday of that month is meant."""

    def day(self, year: int, month: int) -> int | None:
        """The day of this month; None where it has not so many days."""
        last = monthrange(year, month)[1]
        day = last - self.before
        if day < 1 or not self.working:
            return day if day > 0 else None
        on = weekday(year, month, day)
        if on == SATURDAY:
            return day - 1 if day > 1 else day + 2
        if on == SUNDAY:
            return day + 1 if day < last else day - 2
        return day


@dataclass(frozen=True, slots=True)
class Cron:
    """A text's fields in the library's order (seconds at the end), and the years it is about, None for all."""

    fields: str
    years: frozenset[int] | None = None
    either: bool = True
    """Whether of a day of the month and a day of the week either one will do."""
    from_end: FromEnd | None = None
    """The day of a month that is counted from its end: `{day}` in the fields."""

    def after(self, moment: datetime) -> datetime | None:
        """The first moment after this one, in UTC; None if there is none."""
        moment = moment.astimezone(UTC)
        if self.years is None:
            return self._next(moment)
        for year in sorted(each for each in self.years if each >= moment.year):
            found = self._next(max(moment, datetime(year, 1, 1, tzinfo=UTC) - timedelta(seconds=1)))
            if found is not None and found.year == year:
                return found
        return None

    def _next(self, moment: datetime) -> datetime | None:
        if self.from_end is None:
            return self._first(self.fields, moment)
        for month in range(_FARTHEST * 12):
            year, number = moment.year + (moment.month - 1 + month) // 12, (moment.month - 1 + month) % 12 + 1
            day = self.from_end.day(year, number)
            if day is None:
                continue
            begin = max(moment, datetime(year, number, 1, tzinfo=UTC) - timedelta(seconds=1))
            found = self._first(self.fields.format(day=day), begin)
            if found is not None and (found.year, found.month) == (year, number):
                return found
        return None

    def _first(self, fields: str, moment: datetime) -> datetime | None:
        # Imported here: few processes have such timers.
        from croniter import CroniterBadDateError, croniter

        try:
            found: datetime = croniter(
                fields, moment, day_or=self.either, max_years_between_matches=_FARTHEST
            ).get_next(datetime)
        except CroniterBadDateError:
            return None
        return found


def is_cron(text: str) -> bool:
    """Whether a text has the form of cron, right or wrong."""
    parts = text.split()
    return text.strip().startswith("@") or 5 <= len(parts) <= 7


def parse_cron(text: str, *, quartz: bool) -> Cron:
    """A text as cron; `quartz`: days of the week count from 1, Sunday. Raises ValueError."""
    parts = text.split()
    if len(parts) == 1 and parts[0].lower() in _MACROS:
        return Cron(parts[0].lower())
    if not 5 <= len(parts) <= 7 or not all(map(_FIELD.fullmatch, parts)):
        raise ValueError(f"{text!r} is no cron text")
    unix = len(parts) == 5
    if unix:
        parts = ["0", *parts]
        quartz = False
    seconds, minute, hour, day, month, days, *year = parts
    from_end = _from_end(day.upper())
    day = day if from_end is None else "{day}"
    days = ",".join(_weekday(each, quartz=quartz) for each in days.upper().split(","))
    fields = " ".join((minute, hour, day, month, days, seconds))
    years = None if not year or year[0] in ("*", "?") else frozenset(_years(text, year[0]))
    from croniter import croniter

    try:
        croniter(fields.format(day=1), datetime(2000, 1, 1, tzinfo=UTC))
    except ValueError as error:
        raise ValueError(f"{text!r} is no cron text: {error}") from None
    return Cron(fields, years, either=unix, from_end=from_end)


def _from_end(day: str) -> FromEnd | None:
    """`LW`, `L-3`, `L-3W`; None for any other day, also `L`, which the library knows."""
    match = _FROM_END.fullmatch(day)
    if match is None or day == "L":
        return None
    before = int(match[1] or 0)
    if before > 30:
        raise ValueError(f"{day} is no cron text's day: no month has so many")
    return FromEnd(before, match[2] is not None)


def _weekday(part: str, *, quartz: bool) -> str:
    """`2-6`, `6L`, `FRIL`, `6#3`, `MON/2` with names for Quartz's numbers; the last of a month as `L5`."""
    body, slash, step = part.partition("/")
    body, mark, nth = body.partition("#")
    if body.endswith("L") and len(body) > 1:
        return f"L{_DAYS.index(_day(body[:-1], quartz=quartz))}"
    if body == "L":
        return "SAT"
    ends = "-".join(_day(each, quartz=quartz) for each in body.split("-"))
    return f"{ends}{mark}{nth}{slash}{step}"


def _day(text: str, *, quartz: bool) -> str:
    if not text.isdigit():
        if text not in ("*", "?", *_DAYS):
            raise ValueError(f"{text} is no day of the week")
        return text
    number = int(text) - 1 if quartz else int(text) % 7
    if not 0 <= number <= 6:
        raise ValueError(f"{text} is no day of the week")
    return _DAYS[number]


def _years(text: str, field: str) -> Iterator[int]:
    for part in field.split(","):
        match = _YEARS.fullmatch(part)
        if match is None:
            raise ValueError(f"{text!r} is no cron text: {part} is no year")
        first, step = int(match[1]), int(match[3] or 1)
        last = int(match[2]) if match[2] else (_LAST if match[3] else first)
        yield from range(first, min(last, _LAST) + 1, max(step, 1))
