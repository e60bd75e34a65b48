"""Values by hash, read a chunk at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from sqlalchemy import ColumnElement, func, select

from engine.store.database import Database
from engine.store.erasure import ERASED_VALUE
from engine.store.errors import Damaged
from engine.store.packing import unpack
from engine.store.tables import ValueRow, table
from governance.snapshots.canonical import digest

_VALUE = table(ValueRow)

CHUNK: Final = 256
"""Values read at once; databases limit the parameters of a statement."""
SMALL: Final = 65_536
"""Bytes up to which a value is read before it is asked for."""


def values_of(database: Database, hashes: Iterable[str]) -> dict[str, bytes]:
    """Canonical JSON by hash; a hash that is not stored is absent."""
    found: dict[str, bytes] = {}
    for chunk in chunks(hashes):
        found.update(_read(database, chunk))
    return found


class ReadAhead:
    """Reads with a value those that were expected together with it.

    A value is handed out once and then forgotten here: whoever took it keeps it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._expected: dict[str, tuple[str, ...]] = {}
        """Hash -> the chunk that it is in."""
        self._ready: dict[str, bytes] = {}

    def expect(self, hashes: Iterable[str]) -> None:
        """These may be asked for, and if one is, then the others, too."""
        for chunk in chunks(dict.fromkeys(each for each in hashes if each not in self._expected)):
            self._expected.update(dict.fromkeys(chunk, chunk))

    def take(self, value_hash: str) -> bytes:
        """Raises KeyError for a hash that is not stored."""
        if value_hash not in self._ready:
            self._read_around(value_hash)
        return self._ready.pop(value_hash)

    def _read_around(self, value_hash: str) -> None:
        chunk = self._expected.get(value_hash, (value_hash,))
        self._expected.update((each, (each,)) for each in chunk)
        small = func.length(_VALUE.c.body) <= SMALL
        self._ready.update(_read(self._database, chunk, small | (_VALUE.c.hash == bytes.fromhex(value_hash))))


def chunks(hashes: Iterable[str]) -> Iterator[tuple[str, ...]]:
    iterator = iter(hashes)
    while chunk := tuple(islice(iterator, CHUNK)):
        yield chunk


def _read(database: Database, chunk: Iterable[str], *where: ColumnElement[bool]) -> Iterator[tuple[str, bytes]]:
    """Raises Damaged."""
    wanted = _VALUE.c.hash.in_([bytes.fromhex(each) for each in chunk])
    rows = database.rows(select(_VALUE.c.hash, _VALUE.c.body).where(wanted, *where))
    for value_hash, stored in rows:
        body = unpack(stored)
        if digest(body) != value_hash.hex() and body != ERASED_VALUE:
            raise Damaged("value", value_hash.hex(), database.name)
        yield value_hash.hex(), body
