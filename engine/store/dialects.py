"""What differs between database systems: connecting, transactions, conflicts of keys, errors."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import AbstractContextManager
from typing import Any, Final, NamedTuple, Protocol

from sqlalchemy import ColumnElement, Connection, Engine, Insert, Table

from engine.store.errors import StoreError
from engine.store.plain import Driver, Plain, Row

GLANCING: Final = "governor_glancing"
"""Execution option of connections that execute one statement, in no transaction."""

WRITING: Final = "governor_writing"
"""Execution option of connections whose transactions are going to write."""


class Locked(NamedTuple):
    """Locks that are ours now, and (version, epoch) of the instance they are about, as it is since; None: not there."""

    taken: set[int]
    found: tuple[int, int] | None


class Locker(Protocol):
    """Locks by number that end with the program, at the latest. Nobody waits for one."""

    def lock(self, numbers: Collection[int], instead: Collection[int], instance: str) -> Locked:
        """Give up those `instead`, take those that nobody else has, then look at an instance."""
        ...

    def unlock(self, numbers: Iterable[int]) -> None: ...

    def close(self) -> None:
        """Give up all."""
        ...


class Dialect(Protocol):
    """A database system. `name` is what to call the database in a message; no password is in it."""

    name: str

    def exists(self) -> bool:
        """Whether there is a database to connect to; asking does not make one."""
        ...

    def connect(self) -> Engine: ...

    def reading(self, engine: Engine) -> Engine:
        """Its connections for transactions that see one moment's state."""
        ...

    def writing(self, engine: Engine) -> Engine:
        """Its connections for transactions that write."""
        ...

    def join(self, connection: Connection) -> None:
        """Before a savepoint in a transaction of a host program: see to it that the driver has begun one."""
        ...

    def alone(self, connection: Connection, subject: str) -> None:
        """Until the transaction ends, no other one goes on that says the same; `subject` is an identifier of ours."""
        ...

    def clock(self) -> ColumnElement[float]:
        """The database's own time, in seconds."""
        ...

    def locker(self, engine: Engine) -> Locker:
        """New locks of a program on the database; no others of the program have them."""
        ...

    def lock(self, connection: Connection, table: Table) -> None:
        """Until the transaction ends, nobody else changes the table."""
        ...

    def together(self, connection: Connection) -> AbstractContextManager[Driver]:
        """Statements of the driver in the block need not wait for each other's results, which nobody may ask for
        before its end. Raises as SQLAlchemy does, at the end of the block at the latest.
        """
        ...

    def at_once(self, engine: Engine) -> AbstractContextManager[Driver]:
        """A transaction of its own for statements of the driver, committed at the end of the block: the first of them
        changes one row, or nothing is kept. Raises as SQLAlchemy does, and StaleKnowledge if it changed none.
        """
        ...

    def release(self) -> None:
        """Close the connections that are kept for `at_once` and `ask`."""
        ...

    def ask(self, engine: Engine, question: Plain, values: Row) -> list[Any] | None:
        """The rows of a query by itself, in no transaction; None where the driver failed, whatever the reason."""
        ...

    def insert_or_ignore(self, table: Table) -> Insert:
        """Insert, but leave a row whose primary key is there as it is."""
        ...

    def upsert(self, table: Table) -> Insert:
        """Insert, or replace all but the primary key."""
        ...

    def add_up(self, table: Table) -> Insert:
        """Insert, or add all but the primary key to what is there."""
        ...

    def translate(self, error: BaseException | None) -> StoreError | None:
        """The driver's error as ours; None if it does not concern the database as a whole."""
        ...

    def wipe_journal(self, connection: Connection) -> None:
        """Leave no copy of purged answers in the pages of the journal, where the system lets us."""
        ...

    def truncate_log(self, connection: Connection) -> bool:
        """Move the write-ahead log into the database and leave nothing in it. False: somebody is using it."""
        ...
