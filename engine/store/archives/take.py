"""Puts an instance from an archive into a database, if everything in it holds together."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import orjson
from sqlalchemy import Connection, Table, select
from sqlalchemy.exc import IntegrityError

from bpmn.codec import definition_hash, from_json
from engine.events import EventType
from engine.evidence.audit import audit
from engine.evidence.chain import Seal
from engine.evidence.log import LoggedEvent
from engine.replay.cause import Cause, Kind
from engine.store.archives.form import named_by
from engine.store.archives.read import Archive, Document, read_archive
from engine.store.causes import KeptCause
from engine.store.database import Database
from engine.store.documents import dump, load
from engine.store.errors import BadArchive, InstanceExists
from engine.store.incidents import is_incident
from engine.store.packing import pack, unpack_at_most
from engine.store.reach import owned
from engine.store.tables import (
    CauseRow,
    DefinitionRow,
    EventRow,
    InstanceRow,
    LiveRow,
    SealRow,
    SnapshotRow,
    ValueRow,
    table,
)
from governance.snapshots.canonical import digest
from governance.snapshots.commits import load_commit

_INSTANCE, _DEFINITION, _VALUE = table(InstanceRow), table(DefinitionRow), table(ValueRow)
_LIVE = table(LiveRow)
_SETTINGS: Final = frozenset({"dead_ends", "simulate"})
"""Settings that an archive may bring. Others name modules, files and models of the machine that it was written on."""
_MOST_IN_DOCUMENT: Final = 1 << 26
_DAMAGED: Final = (ValueError, KeyError, TypeError, IndexError, AttributeError, zlib.error)


def import_instance(database: Database, file: Path) -> str:
    """The id of the instance that was taken in, all of it or nothing.

    Contents are checked by their hashes, snapshots by their ids, the log by its chain, the definition by its hash.
    Raises BadArchive, InstanceExists, OSError.
    """
    archive = read_archive(file)
    try:
        _check(archive, str(file))
    except _DAMAGED as error:
        raise BadArchive(str(file), f"holds a document that is none of ours ({error})") from error
    id: str = archive.instance["id"]
    try:
        database.change_once(lambda connection, again: _write(connection, database, archive, again))
    except IntegrityError as error:
        raise BadArchive(str(file), f"contradicts itself ({error.orig})") from error
    return id


def _check(archive: Archive, file: str) -> None:
    for name, value in archive.values.items():
        if digest(value) != name:
            raise BadArchive(file, f"value {name} is not what its hash says")
    for each in archive.rows.get(table(SnapshotRow).name, ()):
        if load_commit(load(_unpacked(each["body"]))).id != each["id"].hex():
            raise BadArchive(file, f"snapshot {each['id'].hex()} is not what its id says")
    for each in (archive.definition, *archive.others):
        if definition_hash(from_json(orjson.loads(each["body"]))) != each["hash"]:
            raise BadArchive(file, f"definition {each['hash']} is not what its hash says")
    instance = archive.instance
    if instance["definition"] != archive.definition["hash"]:
        raise BadArchive(file, "its instance is of another definition")
    for cell in (instance["settings"], instance["counters"], *_bodies(archive)):
        load(cell)
    seals, events, causes = _seals(archive), _events(archive), _causes(archive)
    found = audit(instance["id"], seals, events, instance["version"], causes=causes).finding
    if found is not None:
        raise BadArchive(file, f"its log of events was altered: {found}")
    migrations = [each.data for each in events if each.type == EventType.INSTANCE_MIGRATED.value]
    strange = {each["hash"] for each in archive.others}.difference(*map(named_by, migrations))
    if strange:
        raise BadArchive(file, f"definition {min(strange)} is none that its log says it went by")


def _bodies(archive: Archive) -> Iterable[str]:
    for rows in archive.rows.values():
        for row in rows:
            if isinstance(row.get("body"), str):
                yield row["body"]


def _seals(archive: Archive) -> list[Seal]:
    rows = archive.rows.get(table(SealRow).name, ())
    return sorted(Seal(**{field: row[field] for field in Seal._fields}) for row in rows)


def _events(archive: Archive) -> list[LoggedEvent]:
    rows = sorted(archive.rows.get(table(EventRow).name, ()), key=lambda row: int(row["seq"]))
    return [
        LoggedEvent.stored(
            row["seq"], row["at"], row["type"], row["element"], row["branch"], _unpacked(row["data"])
        )
        for row in rows
    ]


def _causes(archive: Archive) -> list[KeptCause]:
    rows = archive.rows.get(table(CauseRow).name, ())
    return [
        KeptCause(row["version"], row["at"], Cause(Kind(row["kind"]), load(_unpacked(row["body"])))) for row in rows
    ]


def _unpacked(stored: bytes) -> bytes:
    return unpack_at_most(stored, _MOST_IN_DOCUMENT)


def _write(connection: Connection, database: Database, archive: Archive, again: bool) -> None:
    instance = archive.instance
    there = connection.execute(select(_INSTANCE.c.id).where(_INSTANCE.c.id == instance["id"])).first()
    if there is not None and again:
        return
    if there is not None:
        raise InstanceExists(instance["id"])
    once = database.dialect.insert_or_ignore
    for each in (archive.definition, *archive.others):
        packed = {**each, "source": pack(each["source"]), "body": pack(each["body"])}
        connection.execute(once(_DEFINITION), packed)
    values = [{"hash": bytes.fromhex(name), "body": pack(body)} for name, body in sorted(archive.values.items())]
    if values:
        connection.execute(once(_VALUE), values)
    connection.execute(_INSTANCE.insert(), {**instance, "settings": _harmless(instance["settings"])})
    number = connection.execute(select(_INSTANCE.c.number).where(_INSTANCE.c.id == instance["id"])).scalar_one()
    for of, column in owned().items():
        rows = [{**row, **_derived(of, row), column: number} for row in archive.rows.get(of.name, ())]
        if rows:
            connection.execute(of.insert(), rows)


def _derived(of: Table, row: Document) -> Document:
    return {"incident": int(is_incident(row["key"], row["body"].encode()))} if of is _LIVE else {}


def _harmless(settings: str) -> str:
    given = load(settings)
    return dump({name: value for name, value in given.items() if name in _SETTINGS})
