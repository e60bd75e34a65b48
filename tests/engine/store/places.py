"""Where a store can be: each kind of database, read past the store."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tests.engine.store.states import Rows, everything, plain


class Place(Protocol):
    """A database that may be made. `where` is what `Database` takes; `shown` is what messages call it."""

    @property
    def where(self) -> str: ...

    @property
    def shown(self) -> str: ...

    def everything(self) -> Rows:
        """Every row of every table, unpacked."""
        ...

    def execute(self, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Past the store, in a transaction of its own. A parameter is `%s`."""
        ...


@dataclass(frozen=True)
class SqlitePlace:
    path: Path

    @property
    def where(self) -> str:
        return str(self.path)

    shown = where

    def everything(self) -> Rows:
        return everything(self.path)

    def execute(self, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.path)) as connection, connection:
            return connection.execute(statement.replace("%s", "?"), parameters).fetchall()


@dataclass(frozen=True)
class PostgresqlPlace:
    where: str

    @property
    def shown(self) -> str:
        return self.where

    def everything(self) -> Rows:
        names = self.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        found = {name: self.execute(f'SELECT * FROM "{name}"') for (name,) in names}
        return {name: sorted(map(plain, rows), key=repr) for name, rows in found.items()}

    def execute(self, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        import psycopg

        with psycopg.connect(self.where) as connection:
            cursor = connection.execute(statement.encode(), parameters)
            return cursor.fetchall() if cursor.description else []
