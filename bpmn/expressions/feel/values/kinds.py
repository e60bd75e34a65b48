"""What kind of value a value is, by FEEL's names, and how messages tell it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from bpmn.expressions.describe import SHOWN, shown
from bpmn.expressions.feel.values.functions import FeelFunction
from bpmn.expressions.feel.values.numbers import number_text
from bpmn.expressions.feel.values.ranges import Range
from bpmn.expressions.feel.values.temporal import Date, DateTime, DaysDuration, MonthsDuration, Time

NUMBER, STRING, BOOLEAN, NOTHING = "number", "string", "boolean", "nothing"
DATE, TIME, DATE_TIME = "date", "time", "date and time"
DAYS, MONTHS = "days and time duration", "years and months duration"
LIST, CONTEXT, RANGE, FUNCTION = "list", "context", "range", "function"

_KINDS: Final[Mapping[type, str]] = MappingProxyType({
    type(None): NOTHING,
    Decimal: NUMBER,
    str: STRING,
    bool: BOOLEAN,
    Date: DATE,
    Time: TIME,
    DateTime: DATE_TIME,
    DaysDuration: DAYS,
    MonthsDuration: MONTHS,
    list: LIST,
    dict: CONTEXT,
    Range: RANGE,
})


def kind_of(value: Any) -> str:
    """The name of the value's type in FEEL."""
    kind = _KINDS.get(type(value))
    if kind is None:
        return FUNCTION if isinstance(value, FeelFunction) else type(value).__name__
    return kind


def phrase(value: Any) -> str:
    """A value with its type: `text 'abc' (string)`, `the number 5 (number)`, `nothing (null)`."""
    kind = kind_of(value)
    if value is None:
        return "nothing (null)"
    if kind == NUMBER:
        return f"the number {shown(number_text(value)) if abs(value.adjusted()) < SHOWN else 'of many digits'} (number)"
    if kind == STRING:
        return f"text {shown(repr(value[: SHOWN + 1]))} (string)"
    if kind == BOOLEAN:
        return f"the truth value {'true' if value else 'false'} (boolean)"
    if kind in (LIST, CONTEXT):
        noun = "item" if kind == LIST else "entry" if len(value) == 1 else "entrie"
        return f"a {kind} of {len(value)} {noun}{'' if len(value) == 1 else 's'} ({kind})"
    if kind in (RANGE, FUNCTION):
        return f"a {kind} ({kind})"
    return f"{value} ({kind})"
