"""How long definitions say that instances are kept once they have ended: their processes' `retention`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple

import orjson
from sqlalchemy import Connection, select

from bpmn.codec import from_json
from bpmn.timers import Duration, parse_duration
from engine.store.packing import unpack
from engine.store.tables import DefinitionRow, table

_DEFINITION: Final = table(DefinitionRow)
_NAMED: Final = b'"retention":"'
"""In the JSON of a definition that has one; others are not read."""
Key = tuple[str, str]
"""The hash of a definition, and the id of a process in it."""


class Keeping(NamedTuple):
    """The spans that definitions name, by key, and from when on they are looked at."""

    now: datetime
    spans: Mapping[Key, Duration]

    def is_over(self, key: Key, moved: datetime) -> bool | None:
        """Whether an instance that moved last then is kept no longer; None: its definition says nothing."""
        span = self.spans.get(key)
        if span is None:
            return None
        try:
            return span.after(moved) <= self.now
        except OverflowError:  # longer than there are dates
            return False


def keeping(connection: Connection, now: datetime) -> Keeping:
    """What all stored definitions say."""
    spans: dict[Key, Duration] = {}
    for hash, packed in connection.execute(select(_DEFINITION.c.hash, _DEFINITION.c.body)):
        body = unpack(packed)
        if _NAMED in body:
            for process in from_json(orjson.loads(body)).processes.values():
                if process.policy.policy.retention is not None:
                    spans[hash, process.id] = parse_duration(process.policy.policy.retention)
    return Keeping(now, spans)
