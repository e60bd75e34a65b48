"""Instances whose logs are looked at, and what somebody with the database's file may do to them."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson

from engine.store.database import Database
from engine.store.packing import pack, unpack
from engine.store.store import SqlStore
from tests.engine.store.making import DEFINITION, Run, new_instance


def store_on(path: Path) -> SqlStore:
    store = SqlStore(Database(str(path)))
    store.deploy(b'{"version":1}', DEFINITION, b"<definitions/>", "Main", "main.bpmn")
    return store


def logged(store: SqlStore, advances: int, instance: str = "abc123") -> Run:
    """An instance with so many advances of two events each."""
    store.create(new_instance(instance))
    run = Run(instance)
    for step in range(advances):
        store.commit(run.step({"x": step}))
    return run


def meddle(path: Path, *statements: str | tuple[str, tuple[Any, ...]]) -> None:
    """Change the database past the store."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for each in statements:
            connection.execute(*((each,) if isinstance(each, str) else each))


def read(path: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.execute(query))


def data_of(path: Path, seq: int) -> Mapping[str, Any]:
    ((data,),) = read(path, f"SELECT data FROM gov_event WHERE seq = {seq}")
    found: Mapping[str, Any] = orjson.loads(unpack(data))
    return found


def as_data(data: Mapping[str, Any]) -> bytes:
    return pack(orjson.dumps(data))
