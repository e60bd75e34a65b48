"""Which jobs of instances this program is at, so that no other program on the database begins the same ones.

A hold is a lock of the system or of the server, which ends with whoever has it, however that ends: nothing of it is
stored, and nothing has to be cleaned up after a program that was killed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from hashlib import blake2b

from sqlalchemy import select

from engine.store.database import Database
from engine.store.errors import UnknownInstance, VersionConflict
from engine.store.tables import InstanceRow, table

_INSTANCE = table(InstanceRow)


class InstanceHolds:
    """The jobs of one instance, by the key of their attempt, for who loaded it in this `epoch`.

    In another epoch they are other holds: who was taken for dead keeps nothing from those who go on.
    """

    def __init__(self, database: Database, instance: str, epoch: int) -> None:
        self._database, self._instance, self._epoch = database, instance, epoch

    def take(self, keys: Collection[str], version: int, instead: Iterable[str] = ()) -> set[str]:
        """Those of the jobs that no other program is at, of an instance that is known in this version.

        Those `instead` are for others from now on. Raises VersionConflict, and takes none, where it is in another
        version by now: they may have been done.
        """
        locks, numbers, given = self._database.locks, self._numbers(keys), self._numbers(instead)
        locked = self._database.attempt(lambda: locks.take(numbers, given, self._instance))
        try:
            if locked.taken:
                self._require(version, locked.found)
        except BaseException:
            locks.give_up(locked.taken)
            raise
        return {numbers[each] for each in locked.taken}

    def give_up(self, keys: Iterable[str]) -> None:
        """They are for others."""
        self._database.locks.give_up(self._numbers(keys))

    def _require(self, version: int, found: tuple[int, int] | None) -> None:
        """What was `found` is so since the locks are ours; a host sees what it has not committed yet instead."""
        if not self._database.commits_itself:
            columns = _INSTANCE.c
            rows = self._database.rows(select(columns.version, columns.epoch).where(columns.id == self._instance))
            found = (rows[0].version, rows[0].epoch) if rows else None
        if found is None:
            raise UnknownInstance(self._instance, self._database.name)
        if found != (version, self._epoch):
            raise VersionConflict(self._instance, (version, self._epoch), found)

    def _numbers(self, keys: Iterable[str]) -> dict[int, str]:
        """62 bits each: a byte of a file, and a key of a server, as well."""
        begin = f"{self._epoch}/"
        return {int.from_bytes(blake2b((begin + key).encode(), digest_size=8).digest()) >> 2: key for key in keys}
