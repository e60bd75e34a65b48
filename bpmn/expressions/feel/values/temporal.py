"""Dates, times, dates and times, and the two kinds of durations; nanoseconds are the finest unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bpmn.expressions.feel.values.calendar import FIRST_YEAR, LAST_YEAR, civil, day_number, days_in_month
from bpmn.expressions.feel.values.zones import Zone, offset_at, zone_text

SECOND: Final = 1_000_000_000
DAY: Final = 86400 * SECOND


@dataclass(frozen=True, slots=True)
class Date:
    year: int
    month: int
    day: int

    @property
    def number(self) -> int:
        return day_number(self.year, self.month, self.day)

    def __str__(self) -> str:
        return f"{'-' if self.year < 0 else ''}{abs(self.year):04}-{self.month:02}-{self.day:02}"


@dataclass(frozen=True, slots=True)
class Time:
    """`nanos` since midnight on the clock of its zone."""

    nanos: int
    zone: Zone = None

    @property
    def value(self) -> int:
        """Nanoseconds on the clock of UTC, to compare with; a named zone counts as it was in 1970."""
        return self.nanos - offset_at(self.zone, 0) * SECOND

    def __str__(self) -> str:
        seconds, rest = divmod(self.nanos, SECOND)
        fraction = f".{rest:09}".rstrip("0").rstrip(".")
        clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        return f"{clock}{fraction}{zone_text(self.zone)}"


@dataclass(frozen=True, slots=True)
class DateTime:
    date: Date
    time: Time

    @property
    def local(self) -> int:
        """Nanoseconds from 1970 on the clock of its zone."""
        return self.date.number * DAY + self.time.nanos

    @property
    def offset(self) -> int:
        """Seconds that it is ahead of UTC; 0 without a zone."""
        zone = self.time.zone
        return offset_at(zone, self.local // SECOND) if isinstance(zone, str) else zone or 0

    @property
    def value(self) -> int:
        """Nanoseconds from 1970, UTC; without a zone as if it were UTC."""
        return self.local - self.offset * SECOND

    def __str__(self) -> str:
        return f"{self.date}T{self.time}"


@dataclass(frozen=True, slots=True)
class DaysDuration:
    """A days and time duration."""

    nanos: int

    def __str__(self) -> str:
        days, rest = divmod(abs(self.nanos), DAY)
        seconds, nanos = divmod(rest, SECOND)
        hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
        fraction = f".{nanos:09}".rstrip("0") if nanos else ""
        clock = f"{hours}H" if hours else ""
        clock += f"{minutes}M" if minutes else ""
        clock += f"{seconds}{fraction}S" if seconds or nanos else ""
        text = (f"{days}D" if days else "") + (f"T{clock}" if clock else "")
        return f"{'-' if self.nanos < 0 else ''}P{text or 'T0S'}"


@dataclass(frozen=True, slots=True)
class MonthsDuration:
    """A years and months duration."""

    months: int

    def __str__(self) -> str:
        years, months = divmod(abs(self.months), 12)
        text = (f"{years}Y" if years else "") + (f"{months}M" if months else "")
        return f"{'-' if self.months < 0 else ''}P{text or '0M'}"


Temporal = Date | Time | DateTime
Duration = DaysDuration | MonthsDuration


def date_of(year: int, month: int, day: int) -> Date | None:
    """The date; None where the calendar has no such day."""
    if not (FIRST_YEAR <= year <= LAST_YEAR and 1 <= month <= 12 and 1 <= day <= days_in_month(year, month)):
        return None
    return Date(year, month, day)


def date_numbered(number: int) -> Date | None:
    year, month, day = civil(number)
    return date_of(year, month, day)


def datetime_at(local: int, zone: Zone) -> DateTime | None:
    """The date and time at which the zone's clock shows `local`, in nanoseconds from 1970."""
    number, nanos = divmod(local, DAY)
    date = date_numbered(number)
    return None if date is None else DateTime(date, Time(nanos, zone))


def midnight(date: Date) -> DateTime:
    return DateTime(date, Time(0))
