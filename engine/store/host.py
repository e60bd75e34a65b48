"""A host program's own transaction: what is done in it is committed, or rolled back, with what the host does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import Any, TypeVar

from sqlalchemy import Connection, Select, event
from sqlalchemy.orm import Session

from engine.store.again import Again
from engine.store.database import Database
from engine.store.errors import OtherDatabase
from engine.store.plain import Row

T = TypeVar("T")

Host = Session | Connection
"""What a host gives: a session of SQLAlchemy (SQLModel's are such), or a connection."""


class HostDatabase(Database):
    """A database in the transaction of a host, which alone commits and rolls back.

    Each of our writes is all or nothing, by a savepoint. It is used by one thread at a time, and no longer than the
    host's session or connection. The tables are there: `database`, the same one with transactions of its own, made
    them. Raises OtherDatabase.
    """

    commits_itself = False

    def __init__(self, database: Database, host: Host) -> None:
        self.dialect, self.connections, self.locks = database.dialect, database.connections, database.locks
        self._host, self._lock = host, RLock()
        self._again = Again(pauses=())  # what is broken off takes the host's transaction with it
        self._waiting: list[tuple[int, Callable[[], None]]] = []
        """With the number of the last savepoint that was written in by then."""
        self._heard: Connection | None = None
        self._last = 0
        found, ours = self._connection().dialect.name, database.connections.dialect.name
        if found != ours:
            raise OtherDatabase(database.name, found)
        self._attend()

    def ask(self, question: Select[Any], values: Row) -> Sequence[Any]:
        """In the host's transaction, like all else."""
        return self.look(lambda connection: connection.execute(question, values).all())

    def glance(self, work: Callable[[Connection], T]) -> T:
        """The same."""
        return self.look(work)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """As the host's transaction sees it, what was written in it included."""
        with self._lock, self._our_errors():
            yield self._connection()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A part of the host's transaction that is kept, or nothing of it if an exception ends it."""
        with self._lock, self._our_errors():
            connection = self._connection()
            self._attend_savepoints(connection)
            self.dialect.join(connection)
            with connection.begin_nested():
                yield connection

    def when_durable(self, call: Callable[[], None]) -> None:
        """Call it when the host has committed; never, if it rolls back, be it to a savepoint."""
        self._waiting.append((self._last, call))

    def truncate_log(self) -> bool:
        return False

    def close(self) -> None:
        """Everything is the host's to close."""

    def _connection(self) -> Connection:
        return self._host.connection() if isinstance(self._host, Session) else self._host

    def _attend(self) -> None:
        """Hear of the end of the host's transaction: a session tells of it afterwards, a connection just before."""
        of_session = isinstance(self._host, Session)
        event.listen(self._host, "after_commit" if of_session else "commit", self._committed)
        event.listen(self._host, "after_rollback" if of_session else "rollback", self._rolled_back)

    def _attend_savepoints(self, connection: Connection) -> None:
        """A session has another connection in each of its transactions, and each numbers its savepoints."""
        if connection is not self._heard:
            self._heard, self._last = connection, 0
            event.listen(connection, "release_savepoint", self._written)
            event.listen(connection, "rollback_savepoint", self._rolled_back_to)

    def _written(self, _connection: Any, name: str, _context: Any) -> None:
        self._last = max(self._last, _number(name))

    def _rolled_back_to(self, _connection: Any, name: str, _context: Any) -> None:
        """What was written after that savepoint was in one with a higher number."""
        self._waiting = [(last, call) for last, call in self._waiting if last < _number(name)]

    def _in_savepoint(self) -> bool:
        """A session tells of its savepoints' ends as it does of the transaction's."""
        return isinstance(self._host, Session) and self._host.in_nested_transaction()

    def _committed(self, _host: Any) -> None:
        if self._in_savepoint():
            return
        waiting, self._waiting = self._waiting, []
        for _, call in waiting:
            call()

    def _rolled_back(self, _host: Any) -> None:
        if not self._in_savepoint():
            self._waiting.clear()


def _number(savepoint: str) -> int:
    """SQLAlchemy calls them sa_savepoint_1 and so on."""
    return int(savepoint.rpartition("_")[2])
