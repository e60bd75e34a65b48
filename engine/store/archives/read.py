"""Reads an archive that may come from anybody: bounded, and everything in it is what its hash says."""

from __future__ import annotations

import base64
import binascii
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import orjson
from sqlalchemy import Float, Integer, Table

from engine.store.archives.form import (
    DEFINITION,
    DEFINITIONS,
    FORMAT,
    INSTANCE,
    MANIFEST,
    VALUES,
    VERSION,
    archived,
    columns_of,
    is_bytes,
)
from engine.store.errors import BadArchive
from engine.store.tables import DefinitionRow, InstanceRow, table

MOST_BYTES: Final = 1 << 30
"""Of all entries together, unpacked."""
MOST_IN_MANIFEST: Final = 1 << 20
_PIECE: Final = 1 << 16

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Archive:
    """What stands in one, with bytes as bytes; values by their hash."""

    instance: Document
    definition: Document
    others: list[Document]
    """Definitions by which it went before."""
    rows: Mapping[str, list[Document]]
    """By the name of the table."""
    values: Mapping[str, bytes]


def read_archive(file: Path) -> Archive:
    """Raises BadArchive, OSError."""
    try:
        with zipfile.ZipFile(file) as archive:
            return _Reading(file, archive).all()
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise BadArchive(str(file), f"is no archive that can be read ({error})") from error


class _Reading:
    def __init__(self, file: Path, archive: zipfile.ZipFile) -> None:
        self._file, self._archive, self._left = str(file), archive, MOST_BYTES
        self._described: Document = {}

    def all(self) -> Archive:
        self._described = self._manifest()
        rows = {}
        for name, each in archived().items():
            if name in self._described:
                rows[each.name] = self._rows(name, each)
        others = self._rows(DEFINITIONS, table(DefinitionRow)) if DEFINITIONS in self._described else []
        values = self._json(VALUES)
        return Archive(
            self._row(INSTANCE, table(InstanceRow), self._json(INSTANCE)),
            self._row(DEFINITION, table(DefinitionRow), self._json(DEFINITION)),
            others,
            rows,
            {name: self._bytes(VALUES, text) for name, text in self._object(VALUES, values).items()},
        )

    def _manifest(self) -> Document:
        manifest = self._parsed(MANIFEST, self._read(MANIFEST, MOST_IN_MANIFEST))
        kind = (manifest.get("format"), manifest.get("version")) if isinstance(manifest, dict) else None
        if kind != (FORMAT, VERSION):
            raise self._bad(MANIFEST, f"says {kind}; known is {(FORMAT, VERSION)}")
        entries = self._object(MANIFEST, manifest.get("entries"))
        known = {DEFINITION, DEFINITIONS, INSTANCE, VALUES, *archived()}
        if sorted(self._archive.namelist()) != sorted([MANIFEST, *entries]):
            raise self._bad(MANIFEST, "names other entries than there are")
        if not entries.keys() <= known:
            raise self._bad(MANIFEST, f"names {min(entries.keys() - known)!r}, which no instance has here")
        if not {DEFINITION, INSTANCE, VALUES} <= entries.keys():
            raise self._bad(MANIFEST, "does not name all that an instance has")
        return entries

    def _json(self, name: str) -> Any:
        body = self._read(name, self._left)
        described = self._object(name, self._described[name])
        if described.get("sha256") != sha256(body).hexdigest():
            raise self._bad(name, "is not what the manifest has the hash of")
        return self._parsed(name, body)

    def _read(self, name: str, most: int) -> bytes:
        """An entry, never more than `most` bytes of it, whatever the archive says of its size."""
        try:
            entry = self._archive.open(name)
        except KeyError:
            raise self._bad(name, "is missing") from None
        body = bytearray()
        with entry:
            while piece := entry.read(_PIECE):
                body += piece
                if len(body) > most:
                    raise self._bad(name, f"is larger than the {most:,} bytes that are allowed")
        self._left -= len(body)
        return bytes(body)

    def _rows(self, name: str, of: Table) -> list[Document]:
        rows = self._json(name)
        if not isinstance(rows, list):
            raise self._bad(name, "is no list")
        return [self._row(name, of, row) for row in rows]

    def _row(self, name: str, of: Table, row: Any) -> Document:
        columns, given = columns_of(of), self._object(name, row)
        if given.keys() != columns.keys():
            raise self._bad(name, f"has a row with {sorted(given)}; its columns are {sorted(columns)}")
        return {key: self._cell(name, columns[key], cell) for key, cell in given.items()}

    def _cell(self, name: str, column: Any, cell: Any) -> Any:
        if cell is None and column.nullable:
            return None
        if is_bytes(column):
            return self._bytes(name, cell)
        kind = int if isinstance(column.type, Integer) else float if isinstance(column.type, Float) else str
        if type(cell) is not kind or (isinstance(cell, int) and abs(cell) >= 1 << 63):
            raise self._bad(name, f"has {column.name} that is no {kind.__name__}")
        return cell

    def _bytes(self, name: str, text: Any) -> bytes:
        try:
            return base64.b64decode(text, validate=True)
        except (TypeError, ValueError, binascii.Error):
            raise self._bad(name, "has bytes that are not base64") from None

    def _object(self, name: str, value: Any) -> Document:
        if not isinstance(value, dict):
            raise self._bad(name, "has something else where an object should be")
        return value

    def _parsed(self, name: str, body: bytes) -> Any:
        try:
            return orjson.loads(body)
        except ValueError as error:
            raise self._bad(name, f"is no JSON ({error})") from None

    def _bad(self, entry: str, found: str) -> BadArchive:
        return BadArchive(self._file, f"{entry} {found}")
