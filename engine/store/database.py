"""The connection to the database: transactions, the schema, errors in our own words."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

from sqlalchemy import URL, Connection, Select, inspect, make_url, select
from sqlalchemy.exc import ArgumentError, DBAPIError

from engine.store.again import Again
from engine.store.dialects import GLANCING, Dialect
from engine.store.errors import BadDatabaseUrl, NewerSchema, NoDatabase
from engine.store.locks import Locks
from engine.store.plain import Driver, Plain, Row
from engine.store.schema import METADATA
from engine.store.sqlite import SqliteDialect
from engine.store.tables import SCHEMA_VERSION, SchemaRow, table

T = TypeVar("T")


class Database:
    """A database with our tables, made when it is new and migrated when it is older; if it `must_exist`, none is made.

    `where` is the path of a SQLite file or a URL. `synchronous` NORMAL survives a crash of the program, and of the
    machine but for the last moments; FULL loses nothing and waits for the disk at each commit. On PostgreSQL NORMAL is
    what the server is set to, which loses nothing. `patience` is how many seconds to wait for another program's lock.
    Once it is open, what the database breaks off is tried `again`.

    Raises BadDatabaseUrl, NewerSchema, NoDatabase, StoreUnavailable.
    """

    commits_itself: bool = True
    """Whether each write is a transaction of its own."""

    def __init__(
        self,
        where: str,
        *,
        synchronous: Literal["OFF", "NORMAL", "FULL"] = "NORMAL",
        patience: float = 5.0,
        must_exist: bool = False,
        again: Again | None = None,
    ) -> None:
        self._again = again or Again()
        self.url = _url_of(where)
        self.dialect = _dialect_of(self.url, synchronous, patience)
        if must_exist and not self.dialect.exists():
            raise NoDatabase(self.name, "there is no such file")
        self.connections = self.dialect.connect()
        self._plain: dict[Select[Any], Plain] = {}
        self._glancers = self.connections.execution_options(**{GLANCING: True}, isolation_level="AUTOCOMMIT")
        self._readers = self.dialect.reading(self.connections)
        self._writers = self.dialect.writing(self.connections)
        self.locks = Locks(lambda: self.dialect.locker(self.connections))
        try:
            self._prepare_schema(must_exist)
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """What to call the database in a message."""
        return self.dialect.name

    def rows(self, statement: Select[Any]) -> Sequence[Any]:
        """What a query finds."""
        return self.glance(lambda connection: connection.execute(statement).all())

    def column(self, statement: Select[Any]) -> list[Any]:
        """The first column of what a query finds."""
        return self.glance(lambda connection: list(connection.execute(statement).scalars()))

    def cell(self, statement: Select[Any]) -> Any:
        """The first column of the first row; None if there is none."""
        return self.glance(lambda connection: connection.execute(statement).scalar())

    def ask(self, question: Select[Any], values: Row) -> Sequence[Any]:
        """What a query finds that is asked again and again: one statement with `bindparam` for each of the `values`,
        compiled once, and by the driver alone. What it fails at is asked like any other query, and told as ever.
        """
        plain = self._plain.get(question)
        if plain is None:
            plain = self._plain[question] = Plain(question, self.connections.dialect)
        found = self.dialect.ask(self.connections, plain, values)
        return self.look(lambda connection: connection.execute(question, values).all()) if found is None else found

    def attempt(self, step: Callable[[], T]) -> T:
        """What a step gives; again, where the database broke it off. Twice must be the same as once."""

        def once() -> T:
            with self._our_errors():
                return step()

        return self._again.until_done(once)

    def glance(self, work: Callable[[Connection], T]) -> T:
        """What `work` finds that executes one statement: that is of one moment by itself, and needs no transaction."""

        def step() -> T:
            with self._our_errors(), self._glancers.connect() as connection:
                return work(connection)

        return self._again.until_done(step)

    def look(self, work: Callable[[Connection], T]) -> T:
        """What `work` finds in a `read`; from the beginning, where the database broke it off."""

        def step() -> T:
            with self.read() as connection:
                return work(connection)

        return self._again.until_done(step)

    def change(self, work: Callable[[Connection], T]) -> T:
        """What `work` gives in a `write`; again, where the database broke it off. Twice must be the same as once."""
        return self.change_once(lambda connection, _: work(connection))

    def change_once(self, work: Callable[[Connection, bool], T], *, unsure: bool = False) -> T:
        """The same for what must not be done twice: `work` is told whether it may have been committed already.

        That is so after a connection was lost at the commit, here or, if that is `unsure`, before.
        """

        def step() -> T:
            nonlocal unsure
            worked = False
            try:
                with self.write() as connection:
                    result = work(connection, unsure)
                    worked = True
                return result
            finally:
                unsure = unsure or worked

        return self._again.until_done(step)

    def claim(self, work: Callable[[Driver], T]) -> T:
        """What `work` gives that says statements of the driver alone, once, in a transaction of its own: the first one
        changes one row, or nothing is kept. Raises StaleKnowledge if it changed none, StoreInterrupted if it was broken
        off, be it at the commit.
        """
        with self._our_errors(), self.dialect.at_once(self.connections) as driver:
            return work(driver)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that sees one moment's state."""
        with self._our_errors(), self._readers.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that alone may write; all of it is kept, or nothing if an exception ends it."""
        with self._our_errors(), self._writers.begin() as connection:
            yield connection

    def when_durable(self, call: Callable[[], None]) -> None:
        """Call it once what was written is committed: at once, for each write is a transaction of its own."""
        call()

    def truncate_log(self) -> bool:
        """Empty the write-ahead log into the main file. False: another connection is using the log."""
        options = {"isolation_level": "AUTOCOMMIT"}
        with self._our_errors(), self.connections.execution_options(**options).connect() as connection:
            return self.dialect.truncate_log(connection)

    def close(self) -> None:
        """Close all connections; the last one of a SQLite file also empties its log."""
        self.locks.close()
        self.dialect.release()
        self.connections.dispose()

    def _prepare_schema(self, must_exist: bool) -> None:
        with self.read() as connection:
            found = self._schema_of(connection)
        if found is None and must_exist:
            raise NoDatabase(self.name, "no instance was ever run on it")
        if found is None or found < SCHEMA_VERSION:
            found = self._renew_schema()
        if found > SCHEMA_VERSION:
            raise NewerSchema(self.name, found, SCHEMA_VERSION)

    def _renew_schema(self) -> int:
        """Make or migrate the tables, in one transaction, unless another program has done so meanwhile."""
        schema = table(SchemaRow)
        with self.write() as connection:
            self.dialect.alone(connection, "schema")
            found = self._schema_of(connection)
            if found is None:
                METADATA.create_all(connection)
                connection.execute(schema.insert(), {"version": SCHEMA_VERSION})
            elif found < SCHEMA_VERSION:
                from engine.store.migrations.run import migrate

                migrate(connection, found)
                connection.execute(schema.update().values(version=SCHEMA_VERSION))
            return SCHEMA_VERSION if found is None else max(found, SCHEMA_VERSION)

    def _schema_of(self, connection: Connection) -> int | None:
        schema = table(SchemaRow)
        if not inspect(connection).has_table(schema.name):
            return None
        return connection.execute(select(schema.c.version)).scalar()

    @contextmanager
    def _our_errors(self) -> Iterator[None]:
        try:
            yield
        except (DBAPIError, sqlite3.Error) as error:
            ours = self.dialect.translate(error.orig if isinstance(error, DBAPIError) else error)
            if ours is None:
                raise
            raise ours from error


def _dialect_of(url: URL, synchronous: str, patience: float) -> Dialect:
    backend = url.get_backend_name()
    if backend == "sqlite":
        return SqliteDialect(url, synchronous, patience)
    if backend in ("postgresql", "postgres"):
        from engine.store.postgresql import PostgresqlDialect

        return PostgresqlDialect(url, synchronous, patience)
    raise BadDatabaseUrl(url.render_as_string(), f"this version does not run on {backend}")


def _url_of(where: str) -> URL:
    if "://" not in where:
        return URL.create("sqlite", database=str(Path(where).expanduser()))
    try:
        return make_url(where)
    except ArgumentError as error:
        raise BadDatabaseUrl(where, "is no URL of a database") from error
