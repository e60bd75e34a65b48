"""Temporal values from text, as XML Schema writes them, with FEEL's zones (DMN 1.5, 10.3.2.3.4 to 10.3.2.3.7)."""

from __future__ import annotations

import re
from typing import Final

from bpmn.expressions.feel.values.temporal import (
    DAY,
    SECOND,
    Date,
    DateTime,
    DaysDuration,
    Duration,
    MonthsDuration,
    Temporal,
    Time,
    date_of,
    datetime_at,
    midnight,
)
from bpmn.expressions.feel.values.zones import MOST_OFFSET, Zone, zone_named

_DATE: Final = re.compile(r"(-?(?:[1-9]\d{4,8}|\d{4}))-(\d\d)-(\d\d)", re.ASCII)
_TIME: Final = re.compile(
    r"(\d\d):(\d\d):(\d\d)(?:\.(\d{1,40}))?(Z|z|[+-]\d\d:\d\d(?::\d\d)?|@[A-Za-z0-9_+\-/]{1,60})?"
    r"(?:(?<=[\dZ])\[([A-Za-z0-9_+\-/]{1,60})\])?",  # Java writes `+02:00[Europe/Berlin]`: the name says more
    re.ASCII,
)
_OFFSET: Final = re.compile(r"Z|z|[+-]\d\d:\d\d(?::\d\d)?", re.ASCII)
_ZONE: Final = re.compile(r"[A-Za-z0-9_+\-/]{1,60}", re.ASCII)
_DAYS: Final = re.compile(
    r"(-?)P(?=.)(?:(\d{1,18})D)?(?:T(?=.)(?:(\d{1,18})H)?(?:(\d{1,18})M)?(?:(\d{1,18})(?:\.(\d{0,40}))?S)?)?", re.ASCII
)
_MONTHS: Final = re.compile(r"(-?)P(?=.)(?:(\d{1,18})Y)?(?:(\d{1,18})M)?", re.ASCII)
END_OF_DAY: Final = "24:00:00"
"""XML Schema's other way to write the midnight at which the next day begins."""
_MOST: Final = 1 << 63
"""Durations are below this many months or seconds."""


def read_date(text: str) -> Date | None:
    match = _DATE.fullmatch(text)
    return None if match is None else date_of(*map(int, match.groups()))


def read_time(text: str) -> Time | None:
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    hour, minute, second, fraction, zone, name = match.groups()
    if name is not None:
        if zone is None:
            return None
        zone = f"@{name}"
    return time_of(int(hour), int(minute), int(second), _nanos(fraction), zone and _zone(zone), zoned=zone is not None)


def time_of(hour: int, minute: int, second: int, nanos: int, zone: Zone, *, zoned: bool = False) -> Time | None:
    """The time; None where no clock shows it, or where it is `zoned` and the zone is unknown."""
    if zoned and zone is None:
        return None
    if (hour, minute, second, nanos) == (24, 0, 0, 0):
        hour = 0
    if not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= second < 60):
        return None
    return Time((hour * 3600 + minute * 60 + second) * SECOND + nanos, zone)


def read_datetime(text: str) -> DateTime | None:
    """A date and time; a date alone is its midnight."""
    day, separator, clock = text.partition("T")
    date = read_date(day)
    if date is None:
        return None
    if not separator:
        return midnight(date)
    time = read_time(clock)
    if time is None:
        return None
    if clock.startswith(END_OF_DAY):
        return datetime_at((date.number + 1) * DAY, time.zone)
    return DateTime(date, time)


def read_duration(text: str) -> Duration | None:
    match = _DAYS.fullmatch(text)
    if match is not None and any(match.groups()[1:]):
        sign, days, hours, minutes, seconds, fraction = match.groups()
        whole = int(days or 0) * 86400 + int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0)
        nanos = whole * SECOND + _nanos(fraction)
        return DaysDuration(-nanos if sign else nanos) if whole < _MOST else None
    match = _MONTHS.fullmatch(text)
    if match is None:
        return None
    sign, years, rest = match.groups()
    months = int(years or 0) * 12 + int(rest or 0)
    return MonthsDuration(-months if sign else months) if months < _MOST else None


def read_temporal(text: str) -> Temporal | Duration | None:
    """What an at literal means: a date, a time, a date and time, or a duration."""
    if text.startswith(("P", "-P")):
        return read_duration(text)
    if "T" in text.partition("@")[0]:
        return read_datetime(text)
    return read_date(text) or read_time(text)


def _nanos(fraction: str | None) -> int:
    return int((fraction or "0")[:9].ljust(9, "0"))


def read_zone(text: str) -> Zone:
    """`Z`, an offset such as `+01:00`, or an IANA name; None for what is none of them."""
    if _OFFSET.fullmatch(text):
        return _zone(text)
    return _zone(f"@{text}") if _ZONE.fullmatch(text) else None


def _zone(text: str) -> Zone:
    if text in ("Z", "z"):
        return 0
    if text.startswith("@"):
        return text[1:] if zone_named(text[1:]) is not None else None
    hours, minutes, *seconds = (int(part) for part in text[1:].split(":"))
    offset = hours * 3600 + minutes * 60 + sum(seconds)
    if minutes > 59 or offset > MOST_OFFSET or sum(seconds) > 59:
        return None
    return -offset if text[0] == "-" else offset
