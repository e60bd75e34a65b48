"""Which instances workers have, and which they are to get next.

An instance is ready when its time has come (`due`): a timer, the end of the time to answer, or work that was handed on.
Ready ones are put into the workers' queue tenant by tenant in turn, and only as many as there is room for: what waits
longer, waits here, where one with much does not come before one with little.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    func,
    or_,
    select,
    true,
    update,
)

from engine.store.advance import ENDED
from engine.store.database import Database
from engine.store.dispatch_tables import DispatchRow
from engine.store.documents import dump_time
from engine.store.tables import InstanceRow, table

_INSTANCE, _DISPATCH = table(InstanceRow), table(DispatchRow)
_FEEDING: Final = 0x60BE2201
"""One at a time puts instances into the queue; who comes second has nothing to do."""
_HALTED: Final = sorted({*ENDED, "suspended"})
_PAUSE: Final = 30.0
"""Seconds until an instance is looked at again that is ready, and was not moved."""


@dataclass(frozen=True, slots=True)
class Dispatched:
    """An instance that goes to the workers under a ticket of its own."""

    ticket: str
    instance: str


@dataclass(frozen=True, slots=True)
class GivenUp:
    """An instance that workers could not move: how often they tried, why not, when again (seconds; None: never)."""

    instance: str
    attempts: int
    error: str
    retry_in: float | None


Put = Callable[[Any, Dispatched], None]
"""Puts an instance into the queue, in the transaction of this connection."""


class DispatchTable:
    """The instances that workers have."""

    def __init__(self, database: Database) -> None:
        self._database, self._now = database, database.dialect.clock()
        self._put = database.dialect.upsert(_DISPATCH).values(
            instance=bindparam("of_instance"), ticket=bindparam("of_ticket"), version=bindparam("at_version"),
            attempts=bindparam("after_attempts"), put_at=self._now, error=None, retry_at=None,
        )  # fmt: skip

    def feed(self, now: datetime, room: Callable[[int], int], protocol: int, put: Put) -> int:
        """Put ready instances into the queue; how many. `room` says how many more, given how many are in it.

        Instances of a newer `protocol` are left to those who know it.
        """
        fed: set[str] = set()

        def write(connection: Connection) -> int:
            if not connection.execute(select(func.pg_try_advisory_xact_lock(_FEEDING))).scalar():
                return len(fed)
            limit = room(self._in_flight(connection))
            if limit <= 0:
                return len(fed)
            rows = connection.execute(_ready(dump_time(now), protocol, self._now, limit)).all()
            for row in rows:
                given = Dispatched(f"{row.id}:{row.version}:{secrets.token_hex(4)}", row.id)
                attempts = row.attempts if row.attempted == row.version else 0
                about = {"of_instance": row.number, "of_ticket": given.ticket, "at_version": row.version}
                connection.execute(self._put, {**about, "after_attempts": attempts or 0})
                put(connection, given)
                fed.add(row.id)
            return len(fed)

        return self._database.change(write)

    def done(self, tickets: Sequence[str], now: datetime) -> None:
        """Workers have moved these as far as they go.

        One that is where it was, and still ready, is looked at again after a pause only.
        """
        columns, each, at = _DISPATCH.c, _INSTANCE.c, dump_time(now)
        mine = and_(columns.ticket.in_(tickets), columns.error.is_(None))
        theirs = each.number.in_(select(columns.instance).where(mine))
        still = exists().where(each.number == columns.instance, each.version == columns.version, each.due <= at)
        held = {"error": "nothing in it moved", "retry_at": self._now + _PAUSE}

        def write(connection: Connection) -> None:
            ended = update(_INSTANCE).where(theirs, each.status.in_(_HALTED), each.due.is_not(None))
            connection.execute(ended.values(due=None))
            connection.execute(update(_DISPATCH).where(mine, still).values(**held))
            connection.execute(delete(_DISPATCH).where(mine))

        self._database.change(write)

    def back(self, tickets: Sequence[str], now: datetime) -> None:
        """Workers have these no more, and did not move them as far as they go: they are ready again."""
        mine = _DISPATCH.c.ticket.in_(tickets)

        def write(connection: Connection) -> None:
            self._make_ready(connection, mine, now)
            connection.execute(delete(_DISPATCH).where(mine))

        self._database.change(write)

    def failed(
        self, ticket: str, error: str, now: datetime, retry_in: Callable[[int], float | None]
    ) -> GivenUp | None:
        """It could not be moved. `retry_in` says after how many seconds it is tried again after so many attempts.

        None: it is not among those that workers have.
        """
        columns = _DISPATCH.c
        mine = columns.ticket == ticket
        held = select(columns.attempts, _INSTANCE.c.id, _INSTANCE.c.version).join(
            _INSTANCE, _INSTANCE.c.number == columns.instance
        )
        told: list[GivenUp] = []

        def write(connection: Connection, unsure: bool) -> GivenUp | None:
            row = connection.execute(held.where(mine)).one_or_none()
            if row is None:
                return None
            if unsure and row.attempts == told[-1].attempts:
                return told[-1]
            again = retry_in(row.attempts + 1)
            values = {
                "attempts": row.attempts + 1,
                "version": row.version,
                "error": error,
                "retry_at": None if again is None else self._now + again,
            }
            self._make_ready(connection, mine, now)
            connection.execute(update(_DISPATCH).where(mine).values(**values))
            told.append(GivenUp(row.id, row.attempts + 1, error, again))
            return told[-1]

        return self._database.change_once(write)

    def fence(self, tickets: Sequence[str]) -> dict[str, int]:
        """Take these from who had them; should it wake up, it cannot write to them: a new epoch of each begins.

        How often each was begun without an end.
        """
        columns = _DISPATCH.c
        mine = columns.ticket.in_(tickets)
        raised = update(_INSTANCE).where(_INSTANCE.c.number.in_(select(columns.instance).where(mine)))
        held = select(columns.ticket, columns.attempts).where(mine).with_for_update()
        counted = update(_DISPATCH).where(mine).values(attempts=columns.attempts + 1)
        told: list[dict[str, int]] = []

        def write(connection: Connection, unsure: bool) -> dict[str, int]:
            found = {row.ticket: row.attempts for row in connection.execute(held)}
            if unsure and found == told[-1]:
                return found
            connection.execute(raised.values(epoch=_INSTANCE.c.epoch + 1))
            connection.execute(counted)
            told.append({ticket: attempts + 1 for ticket, attempts in found.items()})
            return told[-1]

        return self._database.change_once(write)

    def open(self, older: float, limit: int) -> list[str]:
        """Tickets that were given more than so many seconds ago, oldest first."""
        columns = _DISPATCH.c
        statement = select(columns.ticket).where(columns.error.is_(None), columns.put_at < self._now - older)
        with self._database.read() as connection:
            return list(connection.execute(statement.order_by(columns.put_at).limit(limit)).scalars())

    def given_up(self, limit: int = 50) -> list[GivenUp]:
        """Instances that wait for another try, or for a person."""
        columns = _DISPATCH.c
        statement = (
            select(_INSTANCE.c.id, columns.attempts, columns.error, (columns.retry_at - self._now).label("retry_in"))
            .join(_INSTANCE, _INSTANCE.c.number == columns.instance)
            .where(columns.error.is_not(None), columns.version == _INSTANCE.c.version)
            .order_by(columns.put_at)
            .limit(limit)
        )
        with self._database.read() as connection:
            return [GivenUp(*row) for row in connection.execute(statement)]

    def in_flight(self) -> int:
        """How many instances workers have."""
        with self._database.read() as connection:
            return self._in_flight(connection)

    def _make_ready(self, connection: Connection, which: ColumnElement[bool], now: datetime) -> None:
        each, at = _INSTANCE.c, dump_time(now)
        chosen = each.number.in_(select(_DISPATCH.c.instance).where(which))
        later = or_(each.due.is_(None), each.due > at)
        connection.execute(update(_INSTANCE).where(chosen, each.status.not_in(_HALTED), later).values(due=at))

    def _in_flight(self, connection: Connection) -> int:
        counted = select(func.count()).select_from(_DISPATCH).where(_DISPATCH.c.error.is_(None))
        return int(connection.execute(counted).scalar_one())


def _ready(now: str | None, protocol: int, clock: Any, limit: int) -> Select[Any]:
    """Ready instances of each tenant, the longest due first; all first ones, then all second ones.

    Reads as many rows of each tenant as are wanted of all together, whatever else is ready.
    """
    each, has = _INSTANCE.c, _DISPATCH.c
    tenants = select(func.min(each.tenant).label("tenant")).where(each.due.is_not(None)).cte("tenants", recursive=True)
    following = select(func.min(each.tenant)).where(each.due.is_not(None), each.tenant > tenants.c.tenant)
    tenants = tenants.union_all(select(following.scalar_subquery()).where(tenants.c.tenant.is_not(None)))
    free = or_(
        has.instance.is_(None),
        and_(has.error.is_not(None), or_(has.retry_at <= clock, has.version < each.version)),
    )
    of_tenant = (
        select(each.number, each.id, each.version, each.due, has.attempts, has.version.label("attempted"))
        .outerjoin(_DISPATCH, has.instance == each.number)
        .where(each.tenant == tenants.c.tenant, each.due <= now, each.protocol <= protocol, free)
        .order_by(each.due, each.number)
        .limit(limit)
        .lateral("of_tenant")
    )
    turn = func.row_number().over(partition_by=tenants.c.tenant, order_by=(of_tenant.c.due, of_tenant.c.number))
    return (
        select(of_tenant)
        .select_from(tenants.join(of_tenant, true()))
        .order_by(turn, of_tenant.c.due, of_tenant.c.number)
        .limit(limit)
    )
