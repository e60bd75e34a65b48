"""Values as text: what `string(...)` gives."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from bpmn.expressions.errors import LimitReached
from bpmn.expressions.feel.values.functions import FeelFunction
from bpmn.expressions.feel.values.numbers import number_text
from bpmn.expressions.feel.values.ranges import Range
from bpmn.expressions.feel.values.temporal import Date, DateTime, DaysDuration, MonthsDuration, Time

_TEMPORAL: Final = frozenset({Date, DateTime, DaysDuration, MonthsDuration, Time})
MOST: Final = 1_000_000
"""Characters of a text."""


def text_of(value: Any, most: int = MOST) -> str | None:
    """A value as text; a string is itself, nothing is None. Raises LimitReached for more than `most` characters."""
    return value if value is None or type(value) is str else literal(value, most)


def literal(value: Any, most: int = MOST) -> str:
    """A value as FEEL would write it, strings in quotes. Raises LimitReached for more than `most` characters."""
    parts: list[str] = []
    size = 0
    for part in _parts(value):
        size += len(part)
        if size > most:
            raise LimitReached("text", most)
        parts.append(part)
    return "".join(parts)


def _parts(value: Any) -> Iterator[str]:
    kind = type(value)
    if kind is list:
        yield "["
        for index, item in enumerate(value):
            yield ", " if index else ""
            yield from _parts(item)
        yield "]"
    elif kind is dict:
        yield "{"
        for index, (key, item) in enumerate(value.items()):
            yield f"{', ' if index else ''}{_key(key)}: "
            yield from _parts(item)
        yield "}"
    elif kind is Range:
        yield _range(value)
    else:
        yield _scalar(value)


def _scalar(value: Any) -> str:
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
    return f"function {value.name}" if isinstance(value, FeelFunction) else str(value)


def _range(span: Range) -> str:
    if span.operator is not None:
        return f"({span.operator} {_scalar(span.end if span.operator.startswith('<') else span.start)})"
    first, last = "[" if span.start_included else "(", "]" if span.end_included else ")"
    return f"{first}{_scalar(span.start)}..{_scalar(span.end)}{last}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _key(key: str) -> str:
    return key if all(word.isidentifier() for word in key.split(" ")) else _quoted(key)
