"""Timer texts: ISO 8601 durations, dates and cycles."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bpmn.cron import CRON_FORMS, Cron, is_cron, parse_cron

_NUMBER: Final = r"(\d{1,9}(?:[.,]\d{1,9})?)"
_DURATION: Final = re.compile(
    rf"P(?=.)(?:{_NUMBER}Y)?(?:{_NUMBER}M)?(?:{_NUMBER}W)?(?:{_NUMBER}D)?"
    rf"(?:T(?=.)(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?"
)
_ZONED: Final = re.compile(r"(?P<moment>[^\[\]]+)\[(?P<zone>[^\[\]]+)\]")
_SLASH: Final = re.compile(r"/(?![^\[]*\])")
"""Not those of a zone's name."""
_REPEAT: Final = re.compile(r"R(\d{0,9})")

DURATION_FORMS: Final = ("PT15M", "P1DT12H", "P1M")
DATE_FORMS: Final = ("2030-01-31T09:00:00Z", "2030-01-31T09:00:00+02:00", "2030-01-31T09:00:00[Europe/Berlin]")
CYCLE_FORMS: Final = ("R3/PT10M", "R/PT1H", "R3/2030-01-31T09:00:00Z/P1D", *CRON_FORMS)


@dataclass(frozen=True, slots=True)
class Duration:
    """A span of time; months are calendar months, so that its length depends on where it starts."""

    months: int
    rest: timedelta

    def after(self, moment: datetime) -> datetime:
        """The moment this much later; the last day of a shorter month stands for days it does not have.

        Raises `OverflowError` beyond the year 9999.
        """
        years, month = divmod(moment.month - 1 + self.months, 12)
        year = moment.year + years
        if year > datetime.max.year:
            raise OverflowError(f"the year {year} is out of range")
        day = min(moment.day, calendar.monthrange(year, month + 1)[1])
        return moment.replace(year=year, month=month + 1, day=day) + self.rest


@dataclass(frozen=True, slots=True)
class Cycle:
    """A repetition: how often (None: without end), how long between, from when (None: when the timer starts)."""

    repetitions: int | None
    interval: Duration
    start: datetime | None = None
    end: datetime | None = None


def parse_duration(text: str) -> Duration:
    """`PT15M`, `P1DT12H`, `P2W`; fractions in any part but years and months.

    Raises `ValueError`.
    """
    match = _DURATION.fullmatch(text.strip())
    if match is None or not any(match.groups()):
        raise ValueError(f"{text!r} is no ISO 8601 duration")
    years, months, *rest = match.groups(default="0")
    if not (years.isdigit() and months.isdigit()):
        raise ValueError(f"{text!r} has a fraction of a year or month")
    weeks, days, hours, minutes, seconds = (float(part.replace(",", ".")) for part in rest)
    try:
        span = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    except OverflowError as error:
        raise ValueError(f"{text!r} is too long") from error
    return Duration(months=int(years) * 12 + int(months), rest=span)


def parse_date(text: str) -> datetime:
    """`2030-01-31T09:00:00Z`, a date alone too; without an offset it is UTC, or the zone named behind it.

    Where both are given the offset says which moment it is. Raises `ValueError`.
    """
    zoned = _ZONED.fullmatch(text.strip())
    if zoned is None:
        moment = datetime.fromisoformat(text.strip())
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        zone = ZoneInfo(zoned["zone"])
    except (OSError, LookupError):
        raise ValueError(f"{zoned['zone']} is no time zone: no isoformat") from None
    moment = datetime.fromisoformat(zoned["moment"])
    return moment.astimezone(zone) if moment.tzinfo else moment.replace(tzinfo=zone)


def due_after(text: str) -> Callable[[datetime], datetime] | None:
    """From when something begins to when it is due, by a duration or a date; None: the text is neither."""
    try:
        return parse_duration(text).after
    except ValueError:
        pass
    try:
        moment = parse_date(text)
    except ValueError:
        return None
    return lambda _: moment


def parse_repetition(text: str, *, quartz: bool = False) -> Cycle | Cron:
    """A repetition in ISO 8601, or a cron text. Raises `ValueError`."""
    return parse_cron(text, quartz=quartz) if is_cron(text) else parse_cycle(text)


def parse_cycle(text: str) -> Cycle:
    """`R3/PT10M`, `R/PT1H`, with a start before the duration or an end after it.

    Raises `ValueError`.
    """
    head, *rest = _SLASH.split(text.strip())
    match = _REPEAT.fullmatch(head)
    if match is None or not 1 <= len(rest) <= 2:
        raise ValueError(f"{text!r} is no ISO 8601 repetition")
    repetitions = int(match.group(1)) if match.group(1) else None
    interval = parse_duration(rest[0] if len(rest) == 1 or rest[0].startswith("P") else rest[1])
    if not (interval.months or interval.rest):
        raise ValueError(f"{text!r} repeats without any time in between")
    if len(rest) == 1:
        return Cycle(repetitions, interval)
    if rest[0].startswith("P"):
        return Cycle(repetitions, interval, end=parse_date(rest[1]))
    return Cycle(repetitions, interval, start=parse_date(rest[0]))
