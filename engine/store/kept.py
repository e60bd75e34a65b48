"""A few connections kept out of their pool: to take one out and to give it back costs as much as a short statement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import Engine, PoolProxiedConnection

_MOST: Final = 2


class KeptConnections:
    """What is taken is the taker's alone until it is given back; what failed is not given back. Any thread may.

    `restore` makes a driver's connection what the pool takes it to be, before it goes back there.
    """

    def __init__(self, restore: Callable[[Any], None] = lambda driver: None) -> None:
        self._restore = restore
        self._idle: list[PoolProxiedConnection] = []
        self._most = _MOST

    def take(self, engine: Engine) -> PoolProxiedConnection:
        """One that is in no transaction. Raises what the driver raises."""
        try:
            return self._idle.pop()
        except IndexError:
            return engine.raw_connection()

    def give(self, connection: PoolProxiedConnection) -> None:
        if len(self._idle) < self._most:
            self._idle.append(connection)
        else:
            self._return(connection)

    def close(self) -> None:
        """Keep none any more."""
        self._most = 0
        while self._idle:
            self._return(self._idle.pop())

    def _return(self, connection: PoolProxiedConnection) -> None:
        self._restore(connection.driver_connection)
        connection.close()
