"""Snapshots and values of an instance, read when asked for, with what is near them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Row, func, select

from engine.store.database import Database
from engine.store.documents import load
from engine.store.errors import Damaged
from engine.store.packing import unpack
from engine.store.read_ahead import ReadAhead
from engine.store.tables import CheckpointRow, SnapshotRow, number_of, table
from governance.snapshots.commits import load_commit
from governance.snapshots.model import Commit

_SNAPSHOT, _CHECKPOINT = table(SnapshotRow), table(CheckpointRow)

AT_ONCE: Final = 256
"""How many commits are read together, and the rest of the generation of the last one."""


class InstanceSource:
    """What a `SnapshotGraph` and its `ValueStore` read of one instance. For one thread at a time."""

    def __init__(self, database: Database, instance: str) -> None:
        self._database, self._instance = database, instance
        self._ahead = ReadAhead(database)
        self._given: set[int] = set()
        """Generations whose commits were all given."""
        self._checkpointed: frozenset[bytes] | None = None

    def commits(self, snapshot: str) -> list[Commit]:
        """The commit, and those of its generation and of generations below that were not given yet.

        Empty if it is not stored. Raises Damaged.
        """
        rows = self._database.look(lambda connection: self._rows_around(connection, bytes.fromhex(snapshot)))
        commits = [self._commit(row) for row in rows]
        if commits:
            self._given.update(range(commits[-1].generation, commits[0].generation + 1))
        self._ahead.expect(_values_in(commits))
        return commits

    def checkpoint(self, snapshot: str) -> Mapping[str, Any] | None:
        """The contents of this snapshot, if they were stored before the source was first asked for any."""
        wanted = bytes.fromhex(snapshot)
        if self._checkpointed is None:
            self._checkpointed = self._checkpoints()
        if wanted not in self._checkpointed:
            return None
        columns = _CHECKPOINT.c
        statement = select(columns.body).where(
            columns.instance == number_of(self._instance), columns.snapshot == wanted
        )
        contents: dict[str, Any] = load(unpack(self._database.cell(statement)))
        for group in _values_of(contents):
            self._ahead.expect(group)
        return contents

    def load(self, value_hash: str) -> bytes:
        """Canonical JSON of a value. Raises KeyError."""
        return self._ahead.take(value_hash)

    def _checkpoints(self) -> frozenset[bytes]:
        """Which snapshots have one. They are few, and a graph asks of each snapshot that it walks over."""
        statement = select(_CHECKPOINT.c.snapshot).where(_CHECKPOINT.c.instance == number_of(self._instance))
        return frozenset(self._database.column(statement))

    def _rows_around(self, connection: Connection, wanted: bytes) -> Sequence[Row[Any]]:
        """Rows of whole generations, highest first, so that none is read twice; `wanted` alone if it came late."""
        columns, mine = _SNAPSHOT.c, _SNAPSHOT.c.instance == number_of(self._instance)
        asked = connection.execute(select(_SNAPSHOT).where(mine, columns.id == wanted)).one_or_none()
        if asked is None or asked.generation in self._given:
            return [] if asked is None else [asked]
        floor = max((given for given in self._given if given < asked.generation), default=-1)
        near = select(columns.generation).where(mine, columns.generation.between(floor + 1, asked.generation))
        nearest = near.order_by(columns.generation.desc()).limit(AT_ONCE).subquery()
        lowest = select(func.min(nearest.c.generation)).scalar_subquery()
        rows = select(_SNAPSHOT).where(mine, columns.generation.between(lowest, asked.generation))
        return connection.execute(rows.order_by(columns.generation.desc())).all()

    def _commit(self, row: Row[Any]) -> Commit:
        commit = load_commit(load(unpack(row.body)))
        if commit.id != row.id.hex():
            raise Damaged("snapshot", row.id.hex(), self._database.name)
        return commit


def _values_in(commits: Iterable[Commit]) -> Iterator[str]:
    for commit in commits:
        for writes in (commit.writes, commit.carry):
            for write in writes.values():
                yield write.meta
                if write.value is not None:
                    yield write.value
        for shown in commit.shown.values():
            if shown is not None and shown.text is not None:
                yield shown.text


def _values_of(contents: Mapping[str, Any]) -> Iterator[list[str]]:
    """What may be asked for of a checkpoint's entries, in groups of which one may be needed without the others.

    What renders them; the full values of those not shown in full; their metadata.
    """
    rendered: list[str] = []
    hidden: list[str] = []
    for space in contents["spaces"].values():
        for value, _meta, *shown in space["items"].values():
            (hidden if shown else rendered).append(value)
            rendered += shown[1:]
    yield from (rendered, hidden, contents["metas"])
