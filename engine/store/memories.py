"""Journals of memories, in the database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, bindparam, func, select

from engine.store.access_tables import MemoryRow
from engine.store.database import Database
from engine.store.documents import dump_bytes, load
from engine.store.packing import pack, unpack
from engine.store.tables import table

_MEMORY = table(MemoryRow)


class MemoryJournal:
    """`governance.cda.ports.Journal` of one session. One program at a time may write to a session."""

    def __init__(self, database: Database, session: str) -> None:
        self._database, self._session = database, session

    def append(self, event: Mapping[str, Any]) -> None:
        """Write down one event, in a transaction of its own. Raises NotJson, StoreError."""
        body = pack(dump_bytes(dict(event)))
        last = select(func.coalesce(func.max(_MEMORY.c.seq), -1)).where(_MEMORY.c.session == self._session)
        written = select(_MEMORY.c.body).where(_MEMORY.c.session == self._session, _MEMORY.c.seq == bindparam("of_seq"))
        tried: list[int] = []

        def write(connection: Connection, again: bool) -> None:
            if again and connection.execute(written, {"of_seq": tried[-1]}).scalar() == body:
                return
            tried.append(connection.execute(last).scalar_one() + 1)
            connection.execute(_MEMORY.insert(), {"session": self._session, "seq": tried[-1], "body": body})

        self._database.change_once(write)

    def events(self) -> Iterator[Mapping[str, Any]]:
        statement = select(_MEMORY.c.body).where(_MEMORY.c.session == self._session).order_by(_MEMORY.c.seq)
        bodies = self._database.column(statement)
        for body in bodies:
            yield load(unpack(body))
