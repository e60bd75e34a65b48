"""SQLite: all SQL and all errors that only it has."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import URL, ColumnElement, Connection, Engine, Insert, Table, create_engine, event, func, select
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

from engine.store.dialects import GLANCING, WRITING
from engine.store.errors import (
    BadDatabaseUrl,
    NotADatabase,
    NotWritable,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreUnavailable,
)
from engine.store.file_locks import FileLocker
from engine.store.kept import KeptConnections
from engine.store.known import StaleKnowledge
from engine.store.plain import Claiming, Driver, Plain, Row, told_as_ever
from engine.store.tables import JournalRow, table

_JOURNAL = table(JournalRow)

_EPOCH: Final = 2440587.5
"""1970 in Julian days."""


class SqliteDialect:
    """SQLite in WAL mode: readers and one writer at a time, each with a consistent view."""

    def __init__(self, url: URL, synchronous: str, patience: float) -> None:
        if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
            raise BadDatabaseUrl(str(url), "names no file, and an instance must outlive the program")
        self._url, self._synchronous, self._patience = url, synchronous, patience
        self.name = os.path.abspath(url.database)
        self._kept = KeptConnections()

    def exists(self) -> bool:
        return os.path.exists(self.name)

    def connect(self) -> Engine:
        engine = create_engine(self._url, connect_args={"timeout": self._patience})
        event.listen(engine, "connect", self._prepare)
        event.listen(engine, "begin", _begin)
        return engine

    def reading(self, engine: Engine) -> Engine:
        return engine

    def writing(self, engine: Engine) -> Engine:
        return engine.execution_options(**{WRITING: True})

    def join(self, connection: Connection) -> None:
        """Python's driver begins a transaction at the first change alone; a savepoint before that would be one."""
        if not connection.connection.dbapi_connection.in_transaction:  # type: ignore[union-attr]
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    def alone(self, connection: Connection, subject: str) -> None:
        """Whoever writes is alone anyway."""

    def clock(self) -> ColumnElement[float]:
        return (func.julianday("now") - _EPOCH) * 86400.0

    def locker(self, engine: Engine) -> FileLocker:
        return FileLocker(self.name, engine)

    def lock(self, connection: Connection, table: Table) -> None:
        """Whoever writes is alone anyway."""

    @contextmanager
    def together(self, connection: Connection) -> Iterator[Driver]:
        driver: Any = connection.connection.dbapi_connection
        with told_as_ever(connection, sqlite3.Error):
            yield Driver(driver.cursor)

    @contextmanager
    def at_once(self, engine: Engine) -> Iterator[Driver]:
        with told_as_ever(engine, sqlite3.Error):
            connection = self._kept.take(engine)
            driver: Any = connection.dbapi_connection
            try:
                driver.execute("BEGIN IMMEDIATE")
                claiming = Claiming(driver.cursor)
                yield claiming
                if claiming.claimed != 1:
                    raise StaleKnowledge
                driver.execute("COMMIT")
            except BaseException:
                connection.close()  # which rolls back
                raise
            self._kept.give(connection)

    def ask(self, engine: Engine, question: Plain, values: Row) -> list[Any] | None:
        try:
            connection = self._kept.take(engine)
        except (sqlite3.Error, DBAPIError):
            return None
        driver: Any = connection.dbapi_connection
        try:
            found: list[Any] = driver.execute(question.sql, question.bound(values)).fetchall()
        except sqlite3.Error:
            connection.close()
            return None
        self._kept.give(connection)
        return found

    def release(self) -> None:
        self._kept.close()

    def insert_or_ignore(self, table: Table) -> Insert:
        return sqlite.insert(table).on_conflict_do_nothing()

    def upsert(self, table: Table) -> Insert:
        statement = sqlite.insert(table)
        changed = {column.name: statement.excluded[column.name] for column in table.c if not column.primary_key}
        return statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=changed)

    def add_up(self, table: Table) -> Insert:
        statement = sqlite.insert(table)
        added = {each.name: each + statement.excluded[each.name] for each in table.c if not each.primary_key}
        return statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=added)

    def translate(self, error: BaseException | None) -> StoreError | None:
        if not isinstance(error, sqlite3.Error) or isinstance(error, sqlite3.IntegrityError):
            return None
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return StoreLocked(self.name, self._patience)
        if code == sqlite3.SQLITE_FULL:
            return StoreFull(self.name)
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            return NotWritable(self.name, self._why_not_writable() or str(error))
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return NotADatabase(self.name, str(error))
        return StoreUnavailable(self.name, str(error), "see whether the file is this program's and its disk is well")

    def wipe_journal(self, connection: Connection) -> None:
        """SQLite wipes a deleted row where it was last (secure_delete), but not the copies that were left in the free
        space of pages when they were split or joined. Emptying the whole table wipes its pages. Cost: the rows of
        running activities.
        """
        kept = connection.execute(select(_JOURNAL)).mappings().all()
        connection.execute(_JOURNAL.delete())
        if kept:
            connection.execute(_JOURNAL.insert(), [dict(row) for row in kept])

    def truncate_log(self, connection: Connection) -> bool:
        busy, _, _ = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
        return not busy

    def _why_not_writable(self) -> str | None:
        folder = os.path.dirname(self.name)
        if os.path.isdir(self.name):
            return "is a folder"
        if not os.path.isdir(folder):
            return f"there is no folder {folder}, or it is closed to you"
        if os.path.exists(self.name) and not os.access(self.name, os.W_OK):
            return "the file is not writable"
        return None if os.access(folder, os.W_OK) else f"the folder {folder} is not writable"

    def _prepare(self, connection: sqlite3.Connection, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin in `_begin`, not where the driver sees fit
        self._use_wal(connection)
        connection.execute(f"PRAGMA synchronous={self._synchronous}")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA secure_delete=ON")

    def _use_wal(self, connection: sqlite3.Connection) -> None:
        """SQLite does not wait for a lock when it changes this mode, as two programs may when both open a new file."""
        deadline = time.monotonic() + self._patience
        while connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            try:
                connection.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)


def _begin(connection: Connection) -> None:
    """A writer takes its lock at once: to read first and be refused later could not be waited out."""
    options = connection.get_execution_options()
    driver: Any = connection.connection.dbapi_connection
    if not options.get(GLANCING):
        driver.execute("BEGIN IMMEDIATE" if options.get(WRITING) else "BEGIN")
