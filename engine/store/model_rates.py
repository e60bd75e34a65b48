"""How often a model may be called, by all workers of a database together."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, func, update

from engine.store.database import Database
from engine.store.dispatch_tables import ModelRateRow
from engine.store.tables import table

_RATE = table(ModelRateRow)


class ModelRates:
    """Gives each call a time of its own (generic cell rate algorithm: one row, one number for a model)."""

    def __init__(self, database: Database) -> None:
        self._database, self._now = database, database.dialect.clock()
        self._add = database.dialect.insert_or_ignore(_RATE)

    def take(self, model: str, interval: float, burst: int) -> float:
        """Take the next place among the calls of a model; how many seconds to wait for it.

        Calls are `interval` seconds apart, but that up to `burst` may come at once after a pause.
        """
        columns, now = _RATE.c, self._now
        late = now - interval * (burst - 1)
        place = func.greatest(columns.free_at, late)
        move = update(_RATE).where(columns.model == model).values(free_at=place + interval)
        taken = move.returning(columns.free_at - interval - now)

        def write(connection: Connection) -> Any:
            wait = connection.execute(taken).scalar_one_or_none()
            if wait is None:
                connection.execute(self._add.values(model=model, free_at=late))
                wait = connection.execute(taken).scalar_one()
            return wait

        # Of a place that was taken and never told, the next call comes one later.
        return max(0.0, float(self._database.change(write)))
