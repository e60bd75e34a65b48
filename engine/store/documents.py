"""Events, work items and other records as JSON texts, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, Final

import orjson

from engine.events import Event, EventType
from engine.evidence.chain import ERASED
from engine.people.work_item import WorkItem
from engine.store.packing import unpack
from governance.ports import timestamp
from governance.snapshots.canonical import canonical, decode
from governance.vocabulary import InteractionLevel, Trigger

_ERASED: Final = {"trigger": Trigger.RUNTIME.value, "level": InteractionLevel.MICRO_SUGGESTION.value}


def dump(value: Any) -> str:
    """Compact JSON. Raises NotJson for what is none."""
    return dump_bytes(value).decode()


def dump_bytes(value: Any) -> bytes:
    """Compact JSON in UTF-8. Raises NotJson for what is none."""
    try:
        return orjson.dumps(value, default=_plain)
    except TypeError:
        # Integers over 64 bits take the careful way; what is no JSON at all is named by it.
        return canonical(value)


def load(text: str | bytes) -> Any:
    return decode(text.encode() if isinstance(text, str) else text)


def dump_work_item(item: WorkItem) -> str:
    return dump({field.name: getattr(item, field.name) for field in fields(item)})


def load_work_item(text: str) -> WorkItem:
    data = load(text)
    return WorkItem(**{**data, "users": tuple(data.get("users", ())), "groups": tuple(data["groups"])})


def load_event(seq: int, at: str, type: str, element: str | None, branch: str, data: bytes) -> Event:
    found = load(unpack(data))
    if ERASED in found:
        # Whoever reads events goes by what they say; the log as it is stored (`StoredLog`) still has this one's type.
        told = {**_ERASED, "message": f"{type}: its data were erased"}
        return Event(seq, at, EventType.NOTICE, element, branch, told)
    return Event(seq, at, EventType(type), element, branch, found)


def dump_time(at: datetime | None) -> str | None:
    return None if at is None else timestamp(at)


def load_time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, tuple):  # with names for its places
        return list(value)
    raise TypeError(type(value).__name__)
