"""Types as `instance of` and the parameters of functions name them (DMN 1.5, rules 56 to 66)."""

from __future__ import annotations

from typing import Final

from bpmn.expressions.feel.syntax.cursor import Cursor
from bpmn.expressions.feel.syntax.names import joined, words
from bpmn.expressions.feel.syntax.tree import TypeNode

_LONG: Final = (
    ("date", "and", "time"),
    ("days", "and", "time", "duration"),
    ("day", "and", "time", "duration"),
    ("years", "and", "months", "duration"),
    ("year", "and", "month", "duration"),
)


def type_of(cursor: Cursor) -> TypeNode:
    """Reads a type. Raises InvalidSyntax."""
    cursor.deeper()
    start = cursor.token.start
    name = _name(cursor)
    arguments: list[TypeNode] = []
    entries: list[tuple[str, TypeNode]] = []
    result = None
    if cursor.accept("<"):
        while not cursor.accept(">"):
            if name == "context":
                key = cursor.take().text if cursor.token.kind == "string" else _plain(cursor)
                cursor.expect(":")
                entries.append((key, type_of(cursor)))
            else:
                arguments.append(type_of(cursor))
            if not cursor.is_symbol(">"):
                cursor.expect(",")
    if name == "function" and cursor.accept("->"):
        result = type_of(cursor)
    cursor.depth -= 1
    return TypeNode(start, cursor.last_end, name, arguments, entries, result)


def _name(cursor: Cursor) -> str:
    for long in _LONG:
        if all(cursor.ahead(offset).text == word for offset, word in enumerate(long)):
            for _ in long:
                cursor.take()
            return " ".join(long).replace("day and", "days and").replace("year and month d", "years and months d")
    name = _plain(cursor)
    while cursor.is_symbol(".") and cursor.ahead().kind == "word":
        cursor.take()
        name += f".{_plain(cursor)}"
    return name


def _plain(cursor: Cursor) -> str:
    count, name = cursor.names.longest(cursor.tokens, cursor.position)
    plain = words(cursor.tokens, cursor.position)
    if plain > count:
        count, name = plain, joined(cursor.tokens[cursor.position : cursor.position + plain])
    if not count:
        cursor.unexpected("a type")
    for _ in range(count):
        cursor.take()
    return name
