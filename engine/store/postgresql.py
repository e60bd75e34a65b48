"""PostgreSQL: all SQL and all errors that only it has."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, Final

from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Double,
    Engine,
    Insert,
    Table,
    cast,
    create_engine,
    event,
    func,
    text,
)
from sqlalchemy.dialects import postgresql

from engine.store.errors import (
    BadDatabaseUrl,
    NotPermitted,
    NotStorable,
    StoreError,
    StoreFull,
    StoreInterrupted,
    StoreLocked,
    StoreUnavailable,
)
from engine.store.gathered import Gathering, Texts
from engine.store.kept import KeptConnections
from engine.store.known import StaleKnowledge
from engine.store.plain import Driver, Plain, Row, told_as_ever
from engine.store.schema import tell_postgresql
from engine.store.server_locks import ServerLocker

DRIVERS: Final = ("postgresql", "postgresql+psycopg", "postgres")
_CONNECT_TIMEOUT: Final = "10"
_BROKEN_OFF: Final = ("40001", "40P01", "57P01", "57P02", "57P03")
"""Serialization failure, deadlock; the server stops, crashed, or is starting."""
_CONNECTION: Final = "08"
_IDLE: Final = 10_000
"""Milliseconds: a program that is frozen inside a transaction must not keep its locks from those that live."""
_ALONE = text("SELECT pg_advisory_xact_lock(hashtextextended(:subject, 0))")


class PostgresqlDialect:
    """PostgreSQL by psycopg: readers see one moment's state, writers wait for each other by the row.

    `patience` is how many seconds a statement waits for a lock.
    """

    def __init__(self, url: URL, synchronous: str, patience: float) -> None:
        self.name = url.render_as_string(hide_password=True)
        if url.drivername not in DRIVERS:
            raise BadDatabaseUrl(self.name, f"is for {url.drivername}, and this store speaks by psycopg")
        if find_spec("psycopg") is None:
            raise BadDatabaseUrl(self.name, "needs psycopg: pip install 'bpmn-governor[postgres]'")
        self._url = url.set(drivername="postgresql+psycopg")
        if "connect_timeout" not in self._url.query:
            self._url = self._url.update_query_dict({"connect_timeout": _CONNECT_TIMEOUT})
        self._synchronous, self._patience, self._texts = synchronous, patience, Texts()
        self._kept = KeptConnections(_begin_transactions)

    def exists(self) -> bool:
        return True

    def connect(self) -> Engine:
        tell_postgresql()
        # Of a connection that is lost we tell ourselves; what psycopg says is for hosts that listen to its log.
        logging.getLogger("psycopg").addHandler(logging.NullHandler())
        engine = create_engine(self._url, pool_use_lifo=True, max_overflow=30)
        event.listen(engine, "connect", self._prepare)
        return engine

    def reading(self, engine: Engine) -> Engine:
        return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)

    def writing(self, engine: Engine) -> Engine:
        """READ COMMITTED: a compare-and-set that waited for another one sees what that made, and is refused by it."""
        return engine.execution_options(isolation_level="READ COMMITTED")

    def join(self, connection: Connection) -> None:
        """The driver has begun a transaction with the first statement."""

    def alone(self, connection: Connection, subject: str) -> None:
        connection.execute(_ALONE, {"subject": f"governor:{subject}"})

    def clock(self) -> ColumnElement[float]:
        return cast(func.extract("epoch", func.clock_timestamp()), Double)

    def locker(self, engine: Engine) -> ServerLocker:
        return ServerLocker(engine)

    def lock(self, connection: Connection, table: Table) -> None:
        connection.execute(text(f"LOCK TABLE {table.name} IN EXCLUSIVE MODE"))

    @contextmanager
    def together(self, connection: Connection) -> Iterator[Driver]:
        """One statement for all of them, or one way to the server and back."""
        from psycopg import Error

        gathering = Gathering(connection.connection.driver_connection, self._texts)
        with told_as_ever(connection, Error):
            yield gathering
            gathering.tell()

    @contextmanager
    def at_once(self, engine: Engine) -> Iterator[Driver]:
        """Where one statement does it, without a way to the server for the beginning and another one for the end."""
        from psycopg import Error
        from psycopg.errors import DivisionByZero

        with told_as_ever(engine, Error):
            connection = self._kept.take(engine)
            driver: Any = connection.driver_connection
            try:
                _begin_none(driver)
                gathering = Gathering(driver, self._texts)
                yield gathering
                gathering.tell_or_nothing()
            except DivisionByZero:
                self._kept.give(connection)
                raise StaleKnowledge from None
            except BaseException as error:
                connection.invalidate(error)
                connection.close()
                raise
            self._kept.give(connection)

    def ask(self, engine: Engine, question: Plain, values: Row) -> list[Any] | None:
        """Without a way to the server for the beginning of a transaction, and another one for its end."""
        from psycopg import Error

        try:
            connection = self._kept.take(engine)
        except Error:
            return None
        driver: Any = connection.driver_connection
        try:
            _begin_none(driver)
            found: list[Any] = driver.execute(question.sql, question.bound(values)).fetchall()
        except Error as error:
            connection.invalidate(error)
            connection.close()
            return None
        self._kept.give(connection)
        return found

    def release(self) -> None:
        self._kept.close()

    def insert_or_ignore(self, table: Table) -> Insert:
        return postgresql.insert(table).on_conflict_do_nothing()

    def upsert(self, table: Table) -> Insert:
        statement = postgresql.insert(table)
        changed = {column.name: statement.excluded[column.name] for column in table.c if not column.primary_key}
        return statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=changed)

    def add_up(self, table: Table) -> Insert:
        statement = postgresql.insert(table)
        added = {each.name: each + statement.excluded[each.name] for each in table.c if not each.primary_key}
        return statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=added)

    def translate(self, error: BaseException | None) -> StoreError | None:
        from psycopg import DatabaseError, DataError, IntegrityError, OperationalError, ProgrammingError

        if not isinstance(error, DatabaseError) or isinstance(error, IntegrityError):
            return None
        code, said = error.sqlstate or "", _first_line(error)
        if code == "55P03":
            return StoreLocked(self.name, self._patience)
        if code == "53100":
            return StoreFull(self.name)
        if code == "42501":
            return NotPermitted(self.name, said)
        if isinstance(error, DataError):
            return NotStorable(self.name, said)
        if code in _BROKEN_OFF or code.startswith(_CONNECTION) or (isinstance(error, OperationalError) and not code):
            return StoreInterrupted(self.name, said)
        if isinstance(error, ProgrammingError):
            return None
        return StoreUnavailable(self.name, said, "see whether the server is well and the URL is right (--db URL)")

    def wipe_journal(self, connection: Connection) -> None:
        """What a server keeps of deleted rows, in its files and its log, is for those who keep the server."""

    def truncate_log(self, connection: Connection) -> bool:
        return True

    def _prepare(self, connection: Any, _record: Any) -> None:
        commit = {"OFF": "off", "FULL": "on"}.get(self._synchronous)
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {int(self._patience * 1000)}")
            cursor.execute(f"SET idle_in_transaction_session_timeout = {_IDLE}")
            if commit is not None:
                cursor.execute(f"SET synchronous_commit = {commit}")
        connection.commit()


def _begin_none(driver: Any) -> None:
    """Each statement is a transaction by itself."""
    if not driver.autocommit:
        driver.autocommit = True


def _begin_transactions(driver: Any) -> None:
    """As SQLAlchemy has its connections. One that is closed stays so."""
    if not driver.closed:
        driver.autocommit = False


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
