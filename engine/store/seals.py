"""The hash chain of event logs, beside them: a row for each advance."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Select, bindparam, select

from engine.evidence.chain import GENESIS, LENGTH, SALT, Seal, bind, seal
from engine.evidence.log import LoggedEvent
from engine.store.advance import Advance
from engine.store.database import Database
from engine.store.tables import EventRow, InstanceRow, SealRow, number_of, table

_SEAL, _EVENT, _INSTANCE = table(SealRow), table(EventRow), table(InstanceRow)


def new_salt() -> bytes:
    return secrets.token_bytes(SALT)


def instance_and_seal(*, hold: bool = False) -> Select[Any]:
    """The number, version and epoch of the instance `of_id`, and the seal of the advance that brought it there.

    `hold`: until the transaction ends, nobody else moves it.
    """
    columns, seals = _INSTANCE.c, _SEAL.c
    last = (seals.instance == columns.number) & (seals.version == columns.version)
    found = select(columns.number, columns.version, columns.epoch)
    found = found.add_columns(seals.first, seals.length, seals.salts, seals.links)
    found = found.select_from(_INSTANCE.outerjoin(_SEAL, last)).where(columns.id == bindparam("of_id"))
    return found.with_for_update(of=_INSTANCE, key_share=True) if hold else found


def next_seal(advance: Advance, last: Seal | None, salt: bytes) -> Seal:
    """The seal of an advance after `last`: that of the one before it, None where there was no chain yet."""
    events, after = advance.events, 0 if last is None else last.first + last.length
    first = events[0].seq if events else after
    before = GENESIS if last is None else last.head
    version = advance.version + 1
    return seal(before, advance.instance, version, first, events, bind(salt, version, advance.at, advance.cause))


class StoredLog:
    """Event logs as they are stored, with their chains, whatever somebody has made of them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def seals(self, instance: str) -> list[Seal]:
        """In order; none for an instance that did not move since there are chains."""
        columns = _SEAL.c
        statement = select(columns.version, columns.first, columns.length, columns.salts, columns.links)
        statement = statement.where(columns.instance == number_of(instance)).order_by(columns.version)
        return [Seal(*row) for row in self._database.rows(statement)]

    def events(self, instance: str) -> Iterator[LoggedEvent]:
        """In order. They are read at once, and unpacked as they are taken."""
        columns = _EVENT.c
        statement = select(columns.seq, columns.at, columns.type, columns.element, columns.branch, columns.data)
        statement = statement.where(columns.instance == number_of(instance)).order_by(columns.seq)
        rows = self._database.rows(statement)
        for row in rows:
            yield LoggedEvent.stored(*row)

    def head(self, instance: str) -> tuple[int, bytes]:
        """How many events the chain has, with those before it began, and its last link. Cost: one row."""
        columns = _SEAL.c
        statement = select(columns.first, columns.length, columns.links).where(columns.instance == number_of(instance))
        found = self._database.rows(statement.order_by(columns.version.desc()).limit(1))
        return (found[0].first + found[0].length, found[0].links[-LENGTH:]) if found else (0, GENESIS)
