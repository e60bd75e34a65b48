"""Rows of what tools gave back: each object with its values, each item of a list a row beside what it belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from governance.cda.entry import Entry, calls_of
from governance.similarity.terms import CJK
from governance.summaries.facts import names_row
from governance.summaries.kinds import Kind, classify


class Record(NamedTuple):
    """One row: the table it belongs to, and its values by key. Of a text, what identifies something in it."""

    number: int
    """The entry it comes from."""
    table: str
    fields: tuple[tuple[str, str], ...]


_LONGEST = 80
"""Characters of a value that stands in a row; longer ones are text and shown as such."""
_TOKEN = re.compile(rf"[^\s\"'`,;(){{}}\[\]<>|=*{CJK}]{{3,{_LONGEST}}}")
_EDGES = ".:-!?#"
_IDENTIFIES = re.compile(r"\d|_|/|\w\.\w|[a-z][A-Z]").search
_DEEPEST = 8


def identifies(value: str) -> bool:
    """Whether a value is one that is looked up by: with a digit, an underscore, a slash, a dot or a hump inside."""
    return _IDENTIFIES(value) is not None


def holds_values(entry: Entry) -> bool:
    """Whether an entry is one whose values count more than its words: calls, tool results, JSON, tables, code, logs."""
    if entry.role == "tool" or entry.calls:
        return True
    kind, _ = classify(_content(entry))
    return kind in (Kind.TABLE, Kind.OBJECT, Kind.TEXT_TABLE)


def records_of(entry: Entry) -> Iterator[Record]:
    """The rows of an entry: of its calls' arguments, and of its content."""
    for name, arguments, _ in calls_of(entry.message):
        _, read = classify(arguments)
        yield from _read(entry.number, name, read)
    kind, read = classify(_content(entry))
    if kind in (Kind.TABLE, Kind.OBJECT) or not isinstance(read, str):
        yield from _read(entry.number, _table(entry), read)
        return
    tokens = (match.strip(_EDGES) for match in _TOKEN.findall(read))
    found = dict.fromkeys(token for token in tokens if len(token) > 2 and identifies(token))
    for token in found:
        yield Record(entry.number, "", (("", token),))


def _read(number: int, table: str, value: Any) -> Iterator[Record]:
    if isinstance(value, str):
        if value and len(value) <= _LONGEST:
            yield Record(number, table, (("", value),))
        return
    yield from _rows(number, table, value, (), 0)


def _rows(number: int, table: str, value: Any, above: tuple[tuple[str, str], ...], depth: int) -> Iterator[Record]:
    """Rows of a list or an object; `above` is what names the row it belongs to."""
    if depth > _DEEPEST:
        return
    if isinstance(value, Mapping):
        fields = tuple(_fields(value))
        if fields:
            yield Record(number, table, (*above, *(field for field in fields if field not in above)))
        name = next(((key, text) for key, text in fields if names_row(key)), None)
        for key, inner in value.items():
            if isinstance(inner, Mapping) and not _is_flat(inner):
                yield from _named(number, key, inner, (name,) if name else above, depth)
            elif isinstance(inner, Sequence) and not isinstance(inner, str):
                yield from _rows(number, key, inner, (name,) if name else above, depth + 1)
        return
    for item in value if isinstance(value, Sequence) and not isinstance(value, str) else ():
        if isinstance(item, Mapping | list):
            yield from _rows(number, table, item, above, depth + 1)
        else:
            text = _scalar(item)
            if text:
                yield Record(number, table, ((table, text),))


def _named(number: int, key: str, value: Mapping[str, Any], above: Any, depth: int) -> Iterator[Record]:
    """An object of objects: its keys name rows."""
    for name, row in value.items():
        if isinstance(row, Mapping):
            label = (key, str(name))
            inner = [field for field in _fields(row) if field[1] != label[1]]
            yield Record(number, key, (*above, label, *inner))
            for child, more in row.items():
                if isinstance(more, Mapping | list) and not (isinstance(more, Mapping) and _is_flat(more)):
                    yield from _rows(number, child, more, (label,), depth + 2)
        elif isinstance(row, list):
            yield from _rows(number, str(name), row, above, depth + 2)


def _fields(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, inner in value.items():
        if isinstance(inner, Mapping):
            if _is_flat(inner):
                yield from ((str(k), text) for k, v in inner.items() if (text := _scalar(v)))
        elif (text := _scalar(inner)) and len(text) <= _LONGEST:
            yield str(key), text


def _is_flat(value: Mapping[str, Any]) -> bool:
    return not any(isinstance(inner, Mapping | list) for inner in value.values())


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return " ".join(value.split())
    if value is None or isinstance(value, Mapping | list):
        return ""
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)


def _content(entry: Entry) -> Any:
    content = entry.message.get("content")
    return "" if content is None else content


def _table(entry: Entry) -> str:
    return str(entry.message.get("name") or next(iter(sorted(entry.tools)), ""))
