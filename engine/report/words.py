"""Numbers, moments and values as people read them."""

from __future__ import annotations

from datetime import UTC, datetime
from math import floor
from typing import Any, Final

from engine.clean_text import clean
from engine.json_text import compact, pretty
from engine.told import Told, told
from governance.snapshots.model import layer_of, name_of, space_of
from governance.vocabulary import Layer

MOST_CHARS: Final = 4_000
"""How much of a value is written out."""
_ONE_LINE: Final = 110
_UNITS: Final = ((86_400, "d", 3_600, "h"), (3_600, "h", 60, "min"), (60, "min", 1, "s"))


def several(number: int, noun: str, plural: str | None = None) -> Told:
    """`1 branch`, `2 branches`: catalogues know it by the plural."""
    many = plural or noun + "s"
    return Told(f"{{count:,}} {many}", english=f"{number:,} {noun}" if number == 1 else None, count=number)


def times(number: int) -> str:
    """How often: the number with a multiplication sign."""
    return f"{number:,}\u00d7"


def percent(share: float) -> str:
    return f"{share:.0%}"


def score_text(score: float) -> str:
    """A score of attention, cut to hundredths, so that what is below a boundary never reads as if it reached it."""
    return f"{floor(round(score * 100, 6)) / 100:.2f}"


def moment(at: str) -> str:
    """A timestamp to the second, in UTC."""
    return f"{datetime.fromisoformat(at).astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def clock(at: str) -> str:
    """The time of day alone, to the millisecond."""
    return f"{datetime.fromisoformat(at).astimezone(UTC):%H:%M:%S.%f}"[:-3]


def lasting(seconds: float) -> str:
    """A duration in one or two units."""
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
    size, name, below, smaller = next(unit for unit in _UNITS if seconds >= unit[0])
    rest = int(seconds % size // below)
    return f"{int(seconds // size)} {name}" + (f" {rest} {smaller}" if rest else "")


def value_text(value: Any, limit: int = MOST_CHARS) -> str:
    """A value: text as it is, anything else as JSON, over lines if it is long. What is cut says so."""
    if isinstance(value, str):
        return cut(value, limit)
    line = compact(value)
    return cut(line if len(line) <= _ONE_LINE else pretty(value), limit)


def cut(text: str, limit: int = MOST_CHARS) -> str:
    cleaned = clean(text)
    if len(cleaned) <= limit:
        return cleaned
    return told("{text} … ({count:,} more characters)", text=cleaned[:limit].rstrip(), count=len(cleaned) - limit)


def key_name(key: str) -> str:
    """An entry by the name that people know: a variable, or the record of an activity."""
    layer, name = layer_of(key), name_of(key)
    if layer is Layer.HISTORY:
        return told("record of {activity}", activity=name.rpartition(":")[2])
    scope = space_of(key).partition(":")[2].partition("@")[0]
    return told("{name} (in {scope})", name=name, scope=scope) if scope else name
