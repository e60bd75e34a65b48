"""What belongs to an instance, and which contents it refers to: for cleaning up, and for taking it elsewhere."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, Final

from sqlalchemy import Connection, Select, Table, select

from engine.store.packing import unpack
from engine.store.read_ahead import chunks
from engine.store.schema import METADATA
from engine.store.tables import InstanceRow, JournalRow, ValueRow, table

_INSTANCE, _VALUE, _JOURNAL = table(InstanceRow), table(ValueRow), table(JournalRow)
_HASH: Final = re.compile(rb"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")


def owned() -> dict[Table, str]:
    """Tables whose rows belong to one instance, with the column that says which, in an order to fill them in.

    They are found by their foreign keys, so that a table which is new is not forgotten.
    """
    found = {each: _owner_column(each) for each in METADATA.sorted_tables if each is not _INSTANCE}
    return {each: column for each, column in found.items() if column is not None}


def _owner_column(owned: Table) -> str | None:
    if owned is _JOURNAL:
        return "instance"
    for column in owned.columns:
        if any(key.column is _INSTANCE.c.number for key in column.foreign_keys):
            return column.name
    return None


def referred(connection: Connection, numbers: Iterable[int]) -> set[bytes]:
    """Hashes of the values that instances refer to, and of those that these refer to.

    Whatever looks like a hash in what is stored of an instance counts as one: rather too much is kept than too little.
    """
    found: set[bytes] = set()
    for number in numbers:
        for row in _rows_of(connection, number):
            found.update(_hashes_in(row))
    return _closed(connection, found)


def _rows_of(connection: Connection, number: int) -> Iterator[Any]:
    yield from connection.execute(select(_INSTANCE).where(_INSTANCE.c.number == number))
    for each, column in owned().items():
        yield from connection.execute(select(each).where(each.c[column] == number))


def _hashes_in(row: Iterable[Any]) -> Iterator[bytes]:
    for cell in row:
        if isinstance(cell, bytes):
            yield from _within(cell)
        elif isinstance(cell, str):
            yield from map(_raw, _HASH.findall(cell.encode()))


def _within(cell: bytes) -> Iterator[bytes]:
    """A hash as it is, or those in a document."""
    if len(cell) == 16:
        yield cell
    try:
        document = unpack(cell)
    except zlib.error:
        return
    yield from map(_raw, _HASH.findall(document))


def _raw(text: bytes) -> bytes:
    return bytes.fromhex(text.decode())


def _closed(connection: Connection, found: set[bytes]) -> set[bytes]:
    """Those of them that are stored, and what these refer to."""
    kept: set[bytes] = set()
    seen = todo = found
    while todo:
        more: set[bytes] = set()
        for row in stored_values(connection, todo):
            kept.add(row.hash)
            more.update(map(_raw, _HASH.findall(unpack(row.body))))
        todo = more - seen
        seen = seen | todo
    return kept


def stored_values(connection: Connection, hashes: Iterable[bytes]) -> Iterator[Any]:
    """The rows of these values, as far as they are stored."""
    for chunk in chunks(each.hex() for each in hashes):
        statement: Select[Any] = select(_VALUE.c.hash, _VALUE.c.body)
        yield from connection.execute(statement.where(_VALUE.c.hash.in_([bytes.fromhex(each) for each in chunk])))
