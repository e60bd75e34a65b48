"""Statements of one advance told to PostgreSQL as a single one: each by itself costs the program ten times as much."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from engine.store.plain import Driver, Plain, Row

_MOST_ROWS: Final = 32
"""What has more is told one by one: its text would be one of its own, and the server would plan it each time."""
_MOST_TEXTS: Final = 256
_VALUES: Final = re.compile(r" VALUES (\(.*?\))( ON CONFLICT .*)?$")
_NAMED: Final = re.compile(r"%\((\w+)\)s")

Shape = tuple[tuple[Plain, int], ...]
"""Statements, and how many rows each has."""


class Told:
    """What becomes of a statement: `rowcount` of rows that it changed, once all were told."""

    def __init__(self) -> None:
        self.rowcount = -1


class Texts:
    """Texts of single statements for several, each made once."""

    def __init__(self) -> None:
        self._made: dict[tuple[Shape, bool], bytes] = {}

    def of(self, shape: Shape, *, or_nothing: bool = False) -> bytes:
        """One that does them all and gives how many rows the first one changed, with places `$1`, `$2` for values.

        With `or_nothing` it is an error, a division by zero, if that were none: then nothing is done. PostgreSQL shows
        none of them what another one does, so no two may write the same row.
        """
        made = self._made.get((shape, or_nothing))
        if made is None:
            if len(self._made) >= _MOST_TEXTS:
                self._made.clear()
            made = self._made[shape, or_nothing] = _single(shape, "1 / count(*)" if or_nothing else "count(*)")
        return made


class Gathering(Driver):
    """Keeps statements until `tell`."""

    def __init__(self, connection: Any, texts: Texts) -> None:
        super().__init__(connection.cursor)
        self._connection, self._texts = connection, texts
        self._said: list[tuple[Plain, Sequence[Row], Told]] = []

    def _told(self, statement: Plain, rows: Sequence[Row]) -> Told:
        told = Told()
        self._said.append((statement, rows, told))
        return told

    def tell(self) -> None:
        """Execute them. Raises what the driver raises."""
        if len(self._said) > 1 and self._is_short:
            self._said[0][2].rowcount = self._tell_at_once(or_nothing=False)
        else:
            self._tell_each()

    def tell_or_nothing(self) -> None:
        """The same in a transaction of its own. Raises DivisionByZero if the first one changed no row."""
        if self._is_short:
            self._tell_at_once(or_nothing=True)
            return
        with self._connection.transaction():
            self._tell_each()
            self._connection.execute("SELECT 1 / %s::int", (self._said[0][2].rowcount,))

    @property
    def _is_short(self) -> bool:
        return sum([len(rows) for _, rows, _ in self._said]) <= _MOST_ROWS

    def _tell_each(self) -> None:
        with self._connection.pipeline():
            done = [(told, super(Gathering, self)._told(statement, rows)) for statement, rows, told in self._said]
        for told, cursor in done:
            told.rowcount = cursor.rowcount

    def _tell_at_once(self, *, or_nothing: bool) -> int:
        """How many rows the first one changed."""
        from psycopg import RawCursor

        cursor: Any = RawCursor(self._connection)
        shape = tuple((statement, len(rows)) for statement, rows, _ in self._said)
        values = [value for statement, rows, _ in self._said for row in rows for value in statement.in_order(row)]
        cursor.execute(self._texts.of(shape, or_nothing=or_nothing), values)
        return int(cursor.fetchone()[0])


def _single(shape: Shape, claimed: str) -> bytes:
    parts: list[str] = []
    place = 0
    for statement, rows in shape:
        for text in _repeated(statement.sql, rows):
            text, place = _numbered(text, place)
            parts.append(text if parts else f"{text} RETURNING 1")
    heads = ", ".join(f"s{number} AS ({text})" for number, text in enumerate(parts))
    return f"WITH {heads} SELECT {claimed} FROM s0".encode()


def _repeated(sql: str, rows: int) -> list[str]:
    """An insert takes several rows; another statement is said once for each."""
    values = _VALUES.search(sql)
    if values is None:
        return [sql] * rows
    tail = values.group(2) or ""
    return [f"{sql[: values.start(1)]}{', '.join([values.group(1)] * rows)}{tail}"]


def _numbered(text: str, before: int) -> tuple[str, int]:
    """With `$n` for each named place, and the number of the last one."""
    pieces = _NAMED.split(text)
    places = len(pieces) // 2
    told = "".join(piece if number % 2 == 0 else f"${before + number // 2 + 1}" for number, piece in enumerate(pieces))
    return told, before + places
