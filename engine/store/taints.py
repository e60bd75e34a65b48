"""Contents that came from outside, by hash: added, and taken away where a person took them for clean."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, bindparam, delete

from engine.store.advance import Advance
from engine.store.dialects import Dialect
from engine.store.tables import TaintRow, table

_TAINT: Final = table(TaintRow)


class TaintWriter:
    """Its statements, made once."""

    def __init__(self, dialect: Dialect) -> None:
        self._add = dialect.insert_or_ignore(_TAINT)
        self._drop = delete(_TAINT).where(
            _TAINT.c.instance == bindparam("of_instance"), _TAINT.c.hash == bindparam("of_hash")
        )

    def write(self, connection: Connection, number: int, advance: Advance) -> None:
        """In the caller's transaction."""
        if advance.untaints:
            clean = map(bytes.fromhex, advance.untaints)
            connection.execute(self._drop, [{"of_instance": number, "of_hash": each} for each in clean])
        if advance.taints:
            tainted = map(bytes.fromhex, advance.taints)
            connection.execute(self._add, [{"instance": number, "hash": each} for each in tainted])
