"""What the model calls of all instances used, as one row: the pool of a tenant, whose database this is."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, select

from engine.store.database import Database
from engine.store.dialects import Dialect
from engine.store.tables import RaiseRow, SpentRow, table
from governance.budgets import Pool, Raise

_SPENT, _RAISE = table(SpentRow), table(RaiseRow)
_ROW = 1


def spent(database: Database) -> Pool:
    """So far, by committed advances."""
    found = database.rows(select(_SPENT.c.tokens, _SPENT.c.cost, _SPENT.c.minutes))
    return Pool(*found[0]) if found else Pool()


def raises(database: Database) -> list[Raise]:
    """By what people raised the tenant's budget, the first first."""
    bodies = database.column(select(_RAISE.c.body).order_by(_RAISE.c.number))
    return [Raise.model_validate_json(body) for body in bodies]


def add_raises(connection: Connection, more: Sequence[Raise]) -> None:
    """In the caller's transaction."""
    if more:
        connection.execute(_RAISE.insert(), [{"body": each.model_dump_json(exclude_defaults=True)} for each in more])


class SpentWriter:
    """Adds to it in the caller's transaction, whoever else does at the same time."""

    def __init__(self, dialect: Dialect) -> None:
        self._add = dialect.add_up(_SPENT)

    def write(self, connection: Connection, more: Pool) -> None:
        if more != Pool():
            connection.execute(self._add, {"id": _ROW, **more._asdict()})
