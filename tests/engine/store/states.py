"""All that a database holds, to compare; and what can be found in its files."""

from __future__ import annotations

import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

from engine.store.packing import unpack

Rows = dict[str, list[tuple[Any, ...]]]


def everything(path: Path) -> Rows:
    """Every row of every table, unpacked, read past the store."""
    with closing(sqlite3.connect(path)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: sorted(map(plain, connection.execute(f'SELECT * FROM "{name}"')), key=repr) for name in names}


def files_of(path: Path) -> list[Path]:
    """The database and the files beside it."""
    return sorted(path.parent.glob(f"{path.name}*"))


def where_found(path: Path, secret: str) -> list[str]:
    """Files whose bytes hold the secret, and tables that hold it in what they pack."""
    raw = [file.name for file in files_of(path) if secret.encode() in file.read_bytes()]
    return raw + [name for name, rows in everything(path).items() if secret in repr(rows)]


def plain(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(_unpacked(cell) if isinstance(cell, bytes) else cell for cell in row)


def _unpacked(cell: bytes) -> bytes:
    try:
        return unpack(cell)
    except zlib.error:
        return cell  # a hash that begins like something packed
