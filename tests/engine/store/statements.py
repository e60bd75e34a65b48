"""What is said to a database, by SQLAlchemy and past it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

from engine.store.plain import Driver, Plain, Row

Hear = Callable[[str, list[Any]], None]
"""Hears a statement, and the parameters of each of its rows, before it is executed."""


@contextmanager
def heard(connections: Engine, hear: Hear) -> Iterator[None]:
    """Let `hear` hear every statement in the block; those past SQLAlchemy of all databases."""

    def before(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, many: bool) -> None:
        hear(statement, list(parameters) if many else [parameters])

    run = Driver.run

    def listening(self: Driver, statement: Plain, rows: Sequence[Row]) -> Any:
        if rows:
            hear(statement.sql, [statement.bound(row) for row in rows])
        return run(self, statement, rows)

    event.listen(connections, "before_cursor_execute", before)
    Driver.run = listening  # type: ignore[method-assign]
    try:
        yield
    finally:
        Driver.run = run  # type: ignore[method-assign]
        event.remove(connections, "before_cursor_execute", before)
