"""Statements as a driver takes them. An advance has a dozen: to look each up and bind it anew costs more than to
execute it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Connection, Dialect, Engine, Executable
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler

Row = Mapping[str, Any]
_NAMED: Final = re.compile(r"%\((\w+)\)s")


class Plain:
    """A statement of Core, compiled once; an insert has all columns. Its values must be what the driver takes: numbers,
    texts, bytes, None."""

    __slots__ = ("_fixed", "_names", "_order", "sql")

    def __init__(self, statement: Executable, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)  # type: ignore[attr-defined]
        assert isinstance(compiled, SQLCompiler)
        self.sql = str(compiled)
        self._order = compiled.positiontup
        self._names = _NAMED.findall(self.sql)
        self._fixed = {name: value for name, value in compiled.params.items() if value is not None}

    def bound(self, row: Row) -> Any:
        """The values of a row, as the driver wants them: in their order, or by name."""
        full = {**self._fixed, **row} if self._fixed else row
        return full if self._order is None else tuple([full[name] for name in self._order])

    def in_order(self, row: Row) -> list[Any]:
        """The values of a row, one for each named place of `sql` in turn."""
        full = {**self._fixed, **row} if self._fixed else row
        return [full[name] for name in self._names]


class Driver:
    """Executes them on one connection, past SQLAlchemy, in the transaction that it began."""

    def __init__(self, cursor: Callable[[], Any]) -> None:
        self._cursor = cursor

    def run(self, statement: Plain, rows: Sequence[Row]) -> Any:
        """The cursor, once for each row; None where there is none. It tells nothing before the block is over."""
        return self._told(statement, rows) if rows else None

    def _told(self, statement: Plain, rows: Sequence[Row]) -> Any:
        cursor = self._cursor()
        if len(rows) == 1:
            cursor.execute(statement.sql, statement.bound(rows[0]))
        else:
            cursor.executemany(statement.sql, [statement.bound(row) for row in rows])
        return cursor


class Claiming(Driver):
    """Executes them too; `claimed` is how many rows the first one changed."""

    claimed: int | None = None

    def _told(self, statement: Plain, rows: Sequence[Row]) -> Any:
        cursor = super()._told(statement, rows)
        if self.claimed is None:
            self.claimed = cursor.rowcount
        return cursor


@contextmanager
def told_as_ever(connection: Connection | Engine, base: type[Exception]) -> Iterator[None]:
    """Errors of the driver, `base`, as SQLAlchemy would have raised them."""
    try:
        yield
    except base as error:
        raise DBAPIError.instance(None, None, error, base, dialect=connection.dialect) from error
