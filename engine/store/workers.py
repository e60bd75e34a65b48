"""Workers: who lives, and who takes over from whom (Evidence, durability 2.3: a lease of our own).

All times are the database's, so that the clocks of machines need not agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from sqlalchemy import and_, delete, func, select, update

from engine.store.database import Database
from engine.store.dispatch_tables import WorkerRow
from engine.store.tables import table

_WORKER = table(WorkerRow)
_BURYING: Final = 0x60BE2202
"""One at a time takes over from the dead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerRecord:
    """A worker. `protocol` is the version of what it writes, `age` the seconds since its last heartbeat."""

    id: str
    host: str
    pid: int
    protocol: int
    slots: int
    started_at: str
    draining: bool = False
    age: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Burial:
    """Ids of the dead and of the living, and the protocols that the living speak."""

    dead: tuple[str, ...]
    living: frozenset[str]
    protocols: frozenset[int]


class WorkerTable:
    """The workers of a database."""

    def __init__(self, database: Database) -> None:
        self._database, self._now = database, database.dialect.clock()
        self._join = database.dialect.insert_or_ignore(_WORKER)

    def join(self, worker: WorkerRecord) -> None:
        """Be there from now on."""
        row = {
            "id": worker.id,
            "host": worker.host,
            "pid": worker.pid,
            "protocol": worker.protocol,
            "slots": worker.slots,
            "started_at": worker.started_at,
            "draining": worker.draining,
        }
        statement = self._join.values(beat_at=self._now, **row)
        self._database.change(lambda connection: connection.execute(statement))

    def beat(self, id: str) -> bool:
        """Say that it lives. False: it was taken for dead, and others have what it had."""
        return self._change(id, beat_at=self._now)

    def drain(self, id: str) -> bool:
        """It takes nothing new. False as for `beat`."""
        return self._change(id, draining=True)

    def abandon(self, id: str) -> bool:
        """It ends now, and leaves what it has to others."""
        return self._change(id, beat_at=0.0)

    def leave(self, id: str) -> None:
        """It ends, and has nothing any more."""
        gone = delete(_WORKER).where(_WORKER.c.id == id)
        self._database.change(lambda connection: connection.execute(gone))

    def all(self) -> list[WorkerRecord]:
        """Oldest first."""
        columns = _WORKER.c
        statement = select(_WORKER, (self._now - columns.beat_at).label("age")).order_by(columns.started_at, columns.id)
        with self._database.read() as connection:
            rows = connection.execute(statement).mappings().all()
        return [WorkerRecord(**{name: value for name, value in row.items() if name != "beat_at"}) for row in rows]

    @contextmanager
    def burying(self, lease: float, by: str = "") -> Iterator[Burial | None]:
        """See who is dead, having had no heartbeat for longer than `lease` seconds, and take over what they had.

        Whoever looks (`by`) lives, however late its own heartbeat is.

        The dead are forgotten when the block ends without an exception; should one wake up, it cannot beat meanwhile.
        None: another worker is at it. What the database breaks off is for the next one who looks.
        """
        columns = _WORKER.c
        late = and_(columns.beat_at < self._now - lease, columns.id != by)
        with self._database.write() as connection:
            if not connection.execute(select(func.pg_try_advisory_xact_lock(_BURYING))).scalar():
                yield None
                return
            dead = connection.execute(select(columns.id).where(late).with_for_update(skip_locked=True)).scalars().all()
            living = select(columns.id, columns.protocol, columns.slots).where(columns.id.not_in(dead))
            rows = connection.execute(living).all()
            yield Burial(
                dead=tuple(dead),
                living=frozenset(row.id for row in rows),
                protocols=frozenset(row.protocol for row in rows),
            )
            if dead:
                connection.execute(delete(_WORKER).where(columns.id.in_(dead)))

    def slots(self, protocol: int) -> tuple[int, int]:
        """How many instances all workers of a protocol move at once, and the one that moves most."""
        columns = _WORKER.c
        statement = select(func.coalesce(func.sum(columns.slots), 0), func.coalesce(func.max(columns.slots), 0))
        with self._database.read() as connection:
            row = connection.execute(statement.where(columns.protocol == protocol, columns.draining.is_(False))).one()
        return int(row[0]), int(row[1])

    def _change(self, id: str, **values: object) -> bool:
        changed = update(_WORKER).where(_WORKER.c.id == id).values(**values)
        return self._database.change(lambda connection: connection.execute(changed).rowcount == 1)
