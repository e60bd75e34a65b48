"""Cleaning up: instances that ended long ago, and contents that nothing refers to any more."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection, Table, delete, func, or_, select

from engine.events import EventType
from engine.store.access_tables import AuditRow
from engine.store.advance import ENDED
from engine.store.cleaned import Cleaned, Wanted
from engine.store.database import Database
from engine.store.documents import dump_time, load
from engine.store.errors import NotEnded
from engine.store.keeping import keeping
from engine.store.packing import unpack
from engine.store.reach import owned, referred
from engine.store.schema import METADATA
from engine.store.tables import DefinitionRow, EventRow, InstanceRow, PostRow, ValueRow, table

_INSTANCE, _VALUE, _POST, _DEFINITION = table(InstanceRow), table(ValueRow), table(PostRow), table(DefinitionRow)
_AUDIT, _EVENT = table(AuditRow), table(EventRow)
_MIGRATED: Final = select(_EVENT.c.instance, _EVENT.c.data).where(_EVENT.c.type == EventType.INSTANCE_MIGRATED.value)
_STARTED: Final = select(_INSTANCE.c.number, _INSTANCE.c.definition)
_AT_ONCE: Final = 100
"""Instances removed in one transaction: others can write in between."""
Version = tuple[str, int]
"""Of an instance: its id, and how often it has moved."""
_PIECE: Final = 500
"""Keys in one statement."""


class Cleaner:
    """Removes what is over. Never an instance that may still move, nor what one that stays refers to."""

    def __init__(self, database: Database, wanted: Wanted | None = None) -> None:
        """What is removed goes on record with `wanted`, in the transaction that removes it."""
        self._database, self._wanted = database, wanted

    def clean(
        self,
        before: datetime | None = None,
        states: Collection[str] = ENDED,
        *,
        only_look: bool = False,
        now: datetime | None = None,
    ) -> Cleaned:
        """Remove the instances in one of `states` that moved last before then (None: no instance), then contents.

        With `now`, those whose process has a `retention` go when that is over, and not earlier, whatever `before` says.
        If it should `only_look`, it says what it would do. Cost: what all instances that stay have stored.
        Raises NotEnded for a state in which an instance may still move.
        """
        if not set(states) <= ENDED:
            raise NotEnded(sorted(set(states) - ENDED), sorted(ENDED))
        over = self._over(before, states, now)
        if not only_look:
            for start in range(0, len(over), _AT_ONCE):
                numbers = [number for number, _ in over[start : start + _AT_ONCE]]
                self._database.change(partial(self._remove, numbers))
        # Once they are removed, their numbers may be those of new instances.
        gone = {number for number, _ in over} if only_look else set()
        values, size = self._contents(gone, only_look)
        definitions = self._definitions(gone, only_look)
        return Cleaned(tuple(id for _, id in over), values, size, definitions)

    def _over(self, before: datetime | None, states: Collection[str], now: datetime | None) -> list[tuple[int, str]]:
        kept = None if now is None else self._database.look(lambda connection: keeping(connection, now))
        named = sorted({hash for hash, _ in kept.spans}) if kept is not None else []
        if before is None and not named:
            return []
        columns = _INSTANCE.c
        old = [] if before is None else [columns.updated_at < dump_time(before)]
        statement = select(columns.number, columns.id, columns.definition, columns.process, columns.updated_at).where(
            columns.status.in_(sorted(states)), or_(columns.definition.in_(named), *old)
        )
        found: list[tuple[int, str]] = []
        for row in self._database.rows(statement.order_by(columns.number)):
            moved = datetime.fromisoformat(row.updated_at)
            over = None if kept is None else kept.is_over((row.definition, row.process), moved)
            if over or (over is None and before is not None and moved < before):
                found.append((row.number, row.id))
        return found

    def _contents(self, gone: Collection[int], only_look: bool) -> tuple[int, int]:
        """How many values nothing refers to, and their bytes. What moved while we looked is looked at again."""

        def look(connection: Connection) -> tuple[dict[int, Version], set[bytes]]:
            moved = {number: version for number, version in _versions(connection).items() if number not in gone}
            return moved, referred(connection, moved)

        seen, kept = self._database.look(look)

        told: list[tuple[int, int]] = []

        def settle(connection: Connection, again: bool = False) -> tuple[int, int]:
            if not only_look:
                self._database.dialect.lock(connection, _VALUE)
            now = {number: version for number, version in _versions(connection).items() if number not in gone}
            kept.update(referred(connection, [number for number in now if seen.get(number) != now[number]]))
            sizes = connection.execute(select(_VALUE.c.hash, func.length(_VALUE.c.body))).all()
            loose = {value: size for value, size in sizes if value not in kept}
            if not only_look:
                _delete(connection, _VALUE, "hash", list(loose))
                self._record(connection, len(loose), f"{len(loose):,} values of {sum(loose.values()):,} bytes")
            told.append(told[-1] if again and not loose else (len(loose), sum(loose.values())))
            return told[-1]

        return self._database.look(settle) if only_look else self._database.change_once(settle)

    def _definitions(self, gone: Collection[int], only_look: bool) -> int:
        """How many definitions nothing was started from, nor deployed to be, nor does any history go by."""

        told: list[int] = []

        def settle(connection: Connection, again: bool = False) -> int:
            used = {row.definition for row in connection.execute(_STARTED) if row.number not in gone}
            used.update(_migrated_from(connection, gone))
            for user, column in _users_of_definitions():
                used.update(connection.execute(select(user.c[column]).distinct()).scalars())
            found = [hash for hash in connection.execute(select(_DEFINITION.c.hash)).scalars() if hash not in used]
            if not only_look:
                _delete(connection, _DEFINITION, "hash", found)
                self._record(connection, len(found), f"definitions {', '.join(sorted(found))}")
            told.append(told[-1] if again and not found else len(found))
            return told[-1]

        return self._database.look(settle) if only_look else self._database.change_once(settle)

    def _remove(self, numbers: Sequence[int], connection: Connection) -> None:
        gone = _remove(connection, numbers)
        self._record(connection, len(gone), f"instances {', '.join(gone)}")

    def _record(self, connection: Connection, count: int, what: str) -> None:
        if count and self._wanted is not None:
            why = f": {self._wanted.reason}" if self._wanted.reason else ""
            row = {"at": self._wanted.at, "who": self._wanted.by, "action": "gc", "target": what + why, "status": 200}
            connection.execute(_AUDIT.insert(), row)


def _versions(connection: Connection) -> Mapping[int, Version]:
    found = connection.execute(select(_INSTANCE.c.number, _INSTANCE.c.id, _INSTANCE.c.version))
    return {row.number: (row.id, row.version) for row in found}


def _migrated_from(connection: Connection, gone: Collection[int]) -> Iterator[str]:
    """Definitions by which instances went once: without them what was done then could not be done again."""
    for instance, data in connection.execute(_MIGRATED):
        before = load(unpack(data)).get("before")
        if before is not None and instance not in gone:
            yield before


def _users_of_definitions() -> Iterable[tuple[Table, str]]:
    for each in METADATA.sorted_tables:
        for column in each.columns:
            if each is not _INSTANCE and any(key.column is _DEFINITION.c.hash for key in column.foreign_keys):
                yield each, column.name


def _remove(connection: Connection, numbers: Sequence[int]) -> list[str]:
    """All of these instances that are still over, and what is on its way to them; their ids."""
    columns = _INSTANCE.c
    mine = select(columns.number, columns.id).where(columns.number.in_(numbers), columns.status.in_(sorted(ENDED)))
    over = connection.execute(mine.with_for_update()).all()
    keys = [row.number for row in over]
    for each, column in reversed(owned().items()):
        _delete(connection, each, column, keys)
    connection.execute(delete(_POST).where(_POST.c.recipient.in_([row.id for row in over])))
    _delete(connection, _INSTANCE, "number", keys)
    return [row.id for row in over]


def _delete(connection: Connection, table: Table, column: str, keys: Sequence[Any]) -> None:
    for start in range(0, len(keys), _PIECE):
        connection.execute(delete(table).where(table.c[column].in_(keys[start : start + _PIECE])))
