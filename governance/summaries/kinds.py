"""What kind of value an entry holds; each kind is summarised in its own way."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias

from governance.summaries.text_tables import is_records, read_table

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"


class Kind(StrEnum):
    """Kinds of values."""

    PROSE = "prose"
    """Sentences, in text or Markdown."""
    TABLE = "table"
    """A list."""
    OBJECT = "object"
    """Keys with values."""
    TEXT_TABLE = "text_table"
    """Text made of records: CSV, a Markdown table, a log, code, a listing."""
    SCALAR = "scalar"
    """A number, a truth value, null, or a short text of one line."""


class Number(str):
    """A number as it was written in JSON text, so that no digit of it changes."""

    __slots__ = ()


_LONGEST_SCALAR = 80


def classify(value: JSON) -> tuple[Kind, JSON]:
    """Return the kind of ``value`` and the value as it is to be read: JSON, CSV and tables in text are parsed."""
    if isinstance(value, str):
        return _classify_text(value)
    if isinstance(value, Mapping):
        return Kind.OBJECT, value
    if isinstance(value, Sequence):
        return Kind.TABLE, value
    return Kind.SCALAR, value


def _classify_text(text: str) -> tuple[Kind, JSON]:
    parsed = _parse(text)
    if parsed is not None:
        return (Kind.OBJECT if isinstance(parsed, Mapping) else Kind.TABLE), parsed
    if len(text) <= _LONGEST_SCALAR and "\n" not in text.strip():
        return Kind.SCALAR, text
    rows = read_table(text)
    if rows is not None:
        return Kind.TEXT_TABLE, rows
    return (Kind.TEXT_TABLE if is_records(text) else Kind.PROSE), text


def _parse(text: str) -> Mapping[str, JSON] | Sequence[JSON] | None:
    stripped = text.strip()
    if stripped[:1] + stripped[-1:] not in ("{}", "[]"):
        return None
    try:
        parsed = json.loads(stripped, parse_int=Number, parse_float=Number, parse_constant=Number)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict | list) else None
