"""Answers to requests that carry an idempotency key: asked again with it, they are answered the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, select

from engine.store.access_tables import ReplyRow
from engine.store.database import Database
from engine.store.packing import pack, unpack
from engine.store.tables import table

_REPLY = table(ReplyRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """`request` is the hash of what was asked; `status` 0: it is being worked on; `location` names what was made."""

    request: str
    status: int
    location: str
    body: bytes


class Replies:
    """The table of them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._begin = database.dialect.insert_or_ignore(_REPLY)

    def begin(self, who: str, key: str, request: str, at: str, *, forget: str) -> Reply | None:
        """Whoever is first with a key gets None, and has to `keep` or `drop`; others what there is.

        What was asked before `forget` is forgotten.
        """
        row = {"who": who, "key": key, "request": request, "at": at, "status": 0, "body": b""}
        held = select(_REPLY).where(_REPLY.c.who == who, _REPLY.c.key == key)

        def write(connection: Connection, again: bool) -> Row[Any] | None:
            connection.execute(_REPLY.delete().where(_REPLY.c.at < forget))
            if connection.execute(self._begin, row).rowcount:
                return None
            found = connection.execute(held).one()
            ours = again and (found.request, found.at, found.status) == (request, at, 0)
            return None if ours else found

        found = self._database.change_once(write)
        if found is None:
            return None
        location, _, body = (unpack(found.body) if found.body else b"").partition(b"\n")
        return Reply(request=found.request, status=found.status, location=location.decode(), body=body)

    def keep(self, who: str, key: str, status: int, location: str, body: bytes) -> None:
        """The answer."""
        changed = _REPLY.update().where(_REPLY.c.who == who, _REPLY.c.key == key)
        changed = changed.values(status=status, body=pack(location.encode() + b"\n" + body))
        self._database.change(lambda connection: connection.execute(changed))

    def drop(self, who: str, key: str) -> None:
        """Nothing was done: the key may be used again."""
        gone = _REPLY.delete().where(_REPLY.c.who == who, _REPLY.c.key == key)
        self._database.change(lambda connection: connection.execute(gone))
