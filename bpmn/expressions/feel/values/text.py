"""Values as text: what `string(...)` gives."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from bpmn.expressions.feel.values.functions import FeelFunction
from bpmn.expressions.feel.values.numbers import number_text
from bpmn.expressions.feel.values.ranges import Range
from bpmn.expressions.feel.values.temporal import Date, DateTime, DaysDuration, MonthsDuration, Time

_TEMPORAL = frozenset({Date, DateTime, DaysDuration, MonthsDuration, Time})


def text_of(value: Any) -> str | None:
    """A value as text; a string is itself, nothing is None."""
    return value if value is None or type(value) is str else literal(value)


def literal(value: Any) -> str:
    """A value as FEEL would write it, strings in quotes."""
    kind = type(value)
    if value is None:
        return "null"
    if kind is str:
        return _quoted(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is Decimal:
        return number_text(value)
    if kind in _TEMPORAL:
        return str(value)
    if kind is list:
        return f"[{', '.join(map(literal, value))}]"
    if kind is dict:
        return "{" + ", ".join(f"{_key(key)}: {literal(item)}" for key, item in value.items()) + "}"
    if kind is Range:
        return _range(value)
    return f"function {value.name}" if isinstance(value, FeelFunction) else str(value)


def _range(span: Range) -> str:
    if span.operator is not None:
        return f"({span.operator} {literal(span.end if span.operator.startswith('<') else span.start)})"
    first, last = "[" if span.start_included else "(", "]" if span.end_included else ")"
    return f"{first}{literal(span.start)}..{literal(span.end)}{last}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _key(key: str) -> str:
    return key if all(word.isidentifier() for word in key.split(" ")) else _quoted(key)
