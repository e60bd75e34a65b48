"""Writes the logs of instances for programs that mine processes. No variable and no reason is in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Literal

import orjson

from bpmn.codec import from_json
from engine.mining.ocel import OcelLog
from engine.mining.story import People, Story
from engine.mining.xes import XesWriter
from engine.names import Names
from engine.store.advance import InstanceRecord
from engine.store.port import InstanceStore

Format = Literal["xes", "ocel"]
FORMATS: Final = ("xes", "ocel")


def export_logs(store: InstanceStore, instances: Iterable[str], format: Format, path: str, *, pseudonyms: bool) -> int:
    """Write the logs of these instances to a file; how many they are. Raises StoreError, OSError."""
    people, exporter, ids = People(pseudonyms), _Names(store), list(instances)
    if format == "xes":
        with Path(path).open("wb") as out:
            writer = XesWriter(out)
            writer.begin()
            for id in ids:
                record = store.instance(id)
                steps = Story(id, exporter.of(record), people).steps(store.events(id))
                writer.trace(id, _about(record, people), steps)
            writer.end()
        return len(ids)
    log = OcelLog()
    for id in ids:
        record = store.instance(id)
        steps = Story(id, exporter.of(record), people).steps(store.events(id))
        log.add(id, _about(record, people), steps, record.created_at)
    Path(path).write_bytes(orjson.dumps(log.document()))
    return len(ids)


def _about(record: InstanceRecord, people: People) -> Mapping[str, str | None]:
    return {
        "process": record.process,
        "definition": record.definition,
        "status": record.status,
        "starter": people.name(record.starter),
    }


class _Names:
    """Names of elements, by definition."""

    def __init__(self, store: InstanceStore) -> None:
        self._store = store
        self._known: dict[str, Names] = {}

    def of(self, record: InstanceRecord) -> Names:
        if record.definition not in self._known:
            body = orjson.loads(self._store.definition(record.definition))
            self._known[record.definition] = Names(from_json(body))
        return self._known[record.definition]
