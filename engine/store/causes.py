"""What advances were made by, so that they can be made again: a row for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import select

from engine.replay.cause import Cause, Kind
from engine.store.advance import Advance
from engine.store.database import Database
from engine.store.documents import dump_bytes, load
from engine.store.packing import pack, unpack
from engine.store.tables import CauseRow, number_of, table

_CAUSE = table(CauseRow)


class KeptCause(NamedTuple):
    """`version` is the instance's after the advance, `at` the advance's frozen time."""

    version: int
    at: str
    cause: Cause


def cause_rows(number: int, advance: Advance) -> list[Mapping[str, Any]]:
    """At most one."""
    cause = advance.cause
    if cause is None:
        return []
    body = pack(dump_bytes(cause.data))
    return [{"instance": number, "version": advance.version + 1, "at": advance.at, "kind": cause.kind, "body": body}]


def causes_of(database: Database, instance: str) -> list[KeptCause]:
    """In order."""
    columns = _CAUSE.c
    statement = select(columns.version, columns.at, columns.kind, columns.body)
    statement = statement.where(columns.instance == number_of(instance)).order_by(columns.version)
    rows = database.rows(statement)
    return [KeptCause(row.version, row.at, Cause(Kind(row.kind), load(unpack(row.body)))) for row in rows]
