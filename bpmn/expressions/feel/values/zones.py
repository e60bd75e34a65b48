"""Time zones: an offset in seconds, an IANA name, or none."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

Zone: TypeAlias = int | str | None

MOST_OFFSET: Final = 14 * 3600
_EPOCH: Final = datetime(1970, 1, 1)
_CYCLE: Final = 400 * 365 * 86400 + 97 * 86400
"""Seconds of 400 years: in years that Python does not have, a zone is as in the same year of a cycle that it has."""
_FIRST, _LAST = -62_000_000_000, 253_000_000_000


@lru_cache(maxsize=256)
def zone_named(name: str) -> ZoneInfo | None:
    """The zone of an IANA name; None if there is none."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        return None


def offset_at(zone: Zone, local: int) -> int:
    """Seconds that the zone is ahead of UTC when its clocks show `local` (seconds from 1970); 0 without a zone."""
    if not isinstance(zone, str):
        return zone or 0
    known = zone_named(zone)
    offset = None if known is None else (_EPOCH + timedelta(seconds=_within(local))).replace(tzinfo=known).utcoffset()
    return 0 if offset is None else int(offset.total_seconds())


def local_of(zone: Zone, instant: int) -> int:
    """What clocks in the zone show at `instant`; both in seconds from 1970."""
    if not isinstance(zone, str):
        return instant + (zone or 0)
    guess = instant + offset_at(zone, instant)
    local = instant + offset_at(zone, guess)
    # Around a change of the clocks the first guess may be on the wrong side of it.
    return local if local - offset_at(zone, local) == instant else guess


def _within(local: int) -> int:
    while local < _FIRST:
        local += _CYCLE * max(1, (_FIRST - local) // _CYCLE)
    while local > _LAST:
        local -= _CYCLE * max(1, (local - _LAST) // _CYCLE)
    return local


def zone_text(zone: Zone) -> str:
    """As in ISO 8601, a name after `@`: `Z`, `+02:00`, `@Europe/Paris`."""
    if zone is None:
        return ""
    if isinstance(zone, str):
        return f"@{zone}"
    if zone == 0:
        return "Z"
    minutes, seconds = divmod(abs(zone), 60)
    text = f"{'-' if zone < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"
    return f"{text}:{seconds:02}" if seconds else text
