"""Writes an instance to an archive."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Connection, Row, Table, select

from engine.events import EventType
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
    named_by,
    text_of,
)
from engine.store.database import Database
from engine.store.documents import load
from engine.store.errors import UnknownInstance
from engine.store.packing import unpack
from engine.store.reach import owned, referred, stored_values
from engine.store.tables import DefinitionRow, EventRow, InstanceRow, table

_INSTANCE, _DEFINITION, _EVENT = table(InstanceRow), table(DefinitionRow), table(EventRow)
_EPOCH = (1980, 1, 1, 0, 0, 0)


def export_instance(database: Database, instance: str, file: Path) -> None:
    """Write an instance as of one moment, with all that it refers to. Raises UnknownInstance, OSError."""
    entries = database.look(lambda connection: _entries(connection, instance, database.name))
    described = {name: {"sha256": sha256(body).hexdigest(), "bytes": len(body)} for name, body in entries.items()}
    manifest = {"format": FORMAT, "version": VERSION, "instance": instance, "entries": described}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in {MANIFEST: orjson.dumps(manifest), **entries}.items():
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, body)


def _entries(connection: Connection, instance: str, database: str) -> dict[str, bytes]:
    found = connection.execute(select(_INSTANCE).where(_INSTANCE.c.id == instance)).one_or_none()
    if found is None:
        raise UnknownInstance(instance, database)
    number: int = found.number
    definition = connection.execute(select(_DEFINITION).where(_DEFINITION.c.hash == found.definition)).one()
    entries = {
        DEFINITION: orjson.dumps(_definition(definition)),
        INSTANCE: orjson.dumps(_document(_INSTANCE, found)),
    }
    others = _others(connection, number, found.definition)
    if others:
        entries[DEFINITIONS] = orjson.dumps([_definition(each) for each in others])
    for name, each in archived().items():
        mine = select(each).where(each.c[owned()[each]] == number).order_by(*each.primary_key.columns)
        entries[name] = orjson.dumps([_document(each, row) for row in connection.execute(mine)])
    values = sorted(stored_values(connection, referred(connection, [number])), key=lambda row: bytes(row.hash))
    entries[VALUES] = orjson.dumps({row.hash.hex(): text_of(unpack(row.body)) for row in values})
    return entries


def _others(connection: Connection, number: int, last: str) -> Sequence[Row[Any]]:
    """Definitions by which the instance went once, as far as they are here: what was done then is replayed by them."""
    columns = _EVENT.c
    migrated = select(columns.data).where(
        columns.instance == number, columns.type == EventType.INSTANCE_MIGRATED.value
    )
    hashes = {hash for data in connection.execute(migrated).scalars() for hash in named_by(load(unpack(data)))}
    statement = select(_DEFINITION).where(_DEFINITION.c.hash.in_(sorted(hashes - {last})))
    return connection.execute(statement.order_by(_DEFINITION.c.hash)).all()


def _definition(row: Row[Any]) -> Mapping[str, Any]:
    packed = {"source": text_of(unpack(row.source)), "body": text_of(unpack(row.body))}
    return {**_document(_DEFINITION, row), **packed}


def _document(of: Table, row: Row[Any]) -> Mapping[str, Any]:
    return {name: text_of(getattr(row, name)) for name in columns_of(of)}
