"""Locks of a PostgreSQL server: advisory ones, which a connection has until it ends.

A program that ends, be it killed, closes it; that a machine is gone the server notices within half a minute.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import Any, Final

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from engine.store.dialects import Locked
from engine.store.plain import told_as_ever

_STAY: Final = text(
    "SELECT set_config(name, CASE name WHEN 'default_transaction_isolation' THEN 'read committed' "
    "WHEN 'idle_session_timeout' THEN '0' WHEN 'tcp_keepalives_count' THEN '3' ELSE '8' END, false) FROM pg_settings "
    "WHERE name IN ('idle_session_timeout', 'tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', "
    "'default_transaction_isolation')"
)
"""The connection is idle as long as its jobs take, and is missed soon where the machine behind it is gone. Each of its
statements sees what was committed before it."""
_UNLOCK: Final = "SELECT count(pg_advisory_unlock(n)) FROM unnest('{{{}}}'::bigint[]) AS n"
_LOCK: Final = "SELECT n FROM unnest('{{{}}}'::bigint[]) AS n WHERE pg_try_advisory_lock(n)"
_LOOK: Final = "SELECT version, epoch FROM gov_instance WHERE id = convert_from(decode('{}', 'hex'), 'UTF8')"


class ServerLocker:
    """The locks that one connection has, beside those of the pool. All that is asked is one way there and back."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None
        self._held = set[int]()

    def lock(self, numbers: Collection[int], instead: Collection[int], instance: str) -> Locked:
        connection = self._connected()
        self._held.difference_update(instead)
        look = _LOOK.format(instance.encode().hex())
        asked = [*([_UNLOCK.format(_listed(instead))] if instead else []), _LOCK.format(_listed(numbers)), look]
        *_, taken, stand = self._ask(connection, asked)
        self._held.update(number for (number,) in taken)
        return Locked({number for (number,) in taken}, (stand[0][0], stand[0][1]) if stand else None)

    def unlock(self, numbers: Iterable[int]) -> None:
        """Where the connection is lost, so are they."""
        gone = list(numbers)
        self._held.difference_update(gone)
        if gone and self._connection is not None:
            try:
                self._ask(self._connection, [_UNLOCK.format(_listed(gone))])
            except DBAPIError:
                self._leave()

    def close(self) -> None:
        """A server takes a moment to notice the end of a connection, so they are given up first."""
        self.unlock(self._held)
        self._leave()

    def _connected(self) -> Connection:
        """What was held when a connection was lost is held on, unless others have it by now."""
        if self._connection is None or _driver(self._connection).closed:
            self._leave()
            connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            try:
                connection.detach()
                connection.execute(_STAY)
                if self._held:
                    (again,) = self._ask(connection, [_LOCK.format(_listed(self._held))])
                    self._held = {number for (number,) in again}
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _ask(self, connection: Connection, statements: list[str]) -> list[list[tuple[Any, ...]]]:
        """The rows of each. Only numbers are written into them."""
        from psycopg import Error

        with told_as_ever(connection, Error):
            cursor = _driver(connection).execute("; ".join(statements).encode(), prepare=False)
            found = [cursor.fetchall()]
            while cursor.nextset():
                found.append(cursor.fetchall())
            return found

    def _leave(self) -> None:
        if self._connection is not None:
            with suppress(DBAPIError):
                self._connection.close()
            self._connection = None


def _driver(connection: Connection) -> Any:
    return connection.connection.dbapi_connection


def _listed(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))
