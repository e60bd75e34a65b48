"""Erases contents of one ended instance, in the transaction that puts it on record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select, update

from engine.events import EventType
from engine.evidence.chain import SALT, Seal, data_digest, erased, unbind
from engine.evidence.log import LoggedEvent
from engine.store.documents import dump_bytes, dump_work_item, load
from engine.store.erasure import ERASED_VALUE, Erasure
from engine.store.packing import pack, unpack
from engine.store.reach import referred
from engine.store.tables import (
    CauseRow,
    EventRow,
    InstanceRow,
    InterventionRow,
    SealRow,
    ValueRow,
    WorkItemRow,
    table,
)

_VALUE, _EVENT, _SEAL, _CAUSE = table(ValueRow), table(EventRow), table(SealRow), table(CauseRow)
_INSTANCE = table(InstanceRow)
_INTERVENTION, _WORK_ITEM = table(InterventionRow), table(WorkItemRow)


def values_held(connection: Connection, instance: str) -> set[str]:
    """Hashes of all values that an instance refers to, and of those that these refer to."""
    return {hash.hex() for hash in referred(connection, [_number(connection, instance)])}


def shared_values(connection: Connection, erasure: Erasure) -> set[str]:
    """Those of the values that other instances hold, and have not erased. Cost: all that the others have stored."""
    number = _number(connection, erasure.instance)
    others = set(connection.execute(select(_INSTANCE.c.number)).scalars()) - {number}
    gave_up: dict[int, set[bytes]] = {}
    erasing = select(_EVENT.c.instance, _EVENT.c.data).where(_EVENT.c.type == EventType.DATA_ERASED.value)
    for instance, data in connection.execute(erasing):
        shared = load(unpack(data)).get("shared", ())
        gave_up.setdefault(instance, set()).update(map(bytes.fromhex, shared))
    held = referred(connection, others - gave_up.keys())
    for instance in others & gave_up.keys():
        held |= referred(connection, [instance]) - gave_up[instance]
    return {hash for hash in erasure.values if bytes.fromhex(hash) in held}


def erase(connection: Connection, erasure: Erasure) -> None:
    """In the caller's transaction. What is erased already stays as it is."""
    number = _number(connection, erasure.instance)
    for hash in erasure.values:
        connection.execute(update(_VALUE).where(_VALUE.c.hash == bytes.fromhex(hash)).values(body=ERASED_VALUE))
    if erasure.events:
        _events(connection, number, set(erasure.events))
    for asked in erasure.interventions:
        body = asked.model_dump_json(exclude_defaults=True)
        connection.execute(update(_INTERVENTION).where(_INTERVENTION.c.id == asked.id).values(body=body))
    for item in erasure.work_items:
        connection.execute(update(_WORK_ITEM).where(_WORK_ITEM.c.id == item.id).values(body=dump_work_item(item)))
    for version, data in erasure.causes.items():
        mine = (_CAUSE.c.instance == number) & (_CAUSE.c.version == version)
        connection.execute(update(_CAUSE).where(mine).values(body=pack(dump_bytes(data))))
        sealed = (_SEAL.c.instance == number) & (_SEAL.c.version == version)
        salts = connection.execute(select(_SEAL.c.salts).where(sealed)).scalar()
        if salts is not None:
            connection.execute(update(_SEAL).where(sealed).values(salts=unbind(salts)))


def _events(connection: Connection, number: int, wanted: set[int]) -> None:
    """The digest that the chain has of their data stays, and their salts go."""
    columns = _SEAL.c
    seals = select(columns.version, columns.first, columns.length, columns.salts, columns.links)
    for row in connection.execute(seals.where(columns.instance == number)).all():
        seal = Seal(*row)
        of_seal = range(seal.first, seal.first + seal.length)
        gone = sorted(wanted & set(of_seal))
        if not gone:
            continue
        salts = {seq: seal.salt(seq) for seq in of_seal}
        for seq in gone:
            mine = (_EVENT.c.instance == number) & (_EVENT.c.seq == seq)
            data: Mapping[str, Any] = load(unpack(connection.execute(select(_EVENT.c.data).where(mine)).scalar_one()))
            if not LoggedEvent(seq, "", "", None, "", data).erased:
                digest = data_digest(salts[seq], data)
                connection.execute(update(_EVENT).where(mine).values(data=pack(dump_bytes(erased(digest)))))
            salts[seq] = bytes(SALT)
        mine = (columns.instance == number) & (columns.version == seal.version)
        connection.execute(update(_SEAL).where(mine).values(salts=b"".join(salts[seq] for seq in of_seal)))


def _number(connection: Connection, instance: str) -> int:
    found: int = connection.execute(select(_INSTANCE.c.number).where(_INSTANCE.c.id == instance)).scalar_one()
    return found
