"""Advances to write, made the way the engine makes them: by a snapshot graph that is drained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from engine.events import Event, EventType
from engine.people.work_item import WorkItem
from engine.store.advance import Advance, NewInstance
from engine.store.checkpoints import CheckpointPolicy, entries_in
from governance.human_loop.intervention import Intervention
from governance.ports import timestamp
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.metadata import put_meta
from governance.snapshots.model import CommitMeta, EntryMeta, Write
from governance.snapshots.values import ValueStore
from governance.vocabulary import InteractionLevel, Producer, Trigger

DEFINITION = "d" * 64
START = datetime(2026, 1, 1, tzinfo=UTC)


def at(step: int) -> str:
    return timestamp(START + timedelta(seconds=step))


def new_instance(id: str = "abc123", **fields: Any) -> NewInstance:
    return NewInstance(**{"id": id, "definition": DEFINITION, "process": "main", "at": at(0), **fields})


def work_item(id: str, instance: str = "abc123", **fields: Any) -> WorkItem:
    given = {"task": 3, "element": "Review", "name": "Review it", "created_at": at(1), **fields}
    return WorkItem(id=id, instance=instance, **given)


def intervention(id: str, instance: str = "abc123", **fields: Any) -> Intervention:
    given = {
        "trigger": Trigger.RUNTIME,
        "level": InteractionLevel.EXPLICIT_APPROVAL,
        "kind": "conflict",
        "element": "Join",
        "created_at": at(1),
        "message": "two values",
        "shown": {"x": [1, 2]},
        **fields,
    }
    return Intervention.model_validate({"id": id, "instance": instance, **given})


class Run:
    """One instance's history in the making. What it made is kept, to compare with what comes back."""

    def __init__(self, instance: str = "abc123") -> None:
        self.instance = instance
        self.values = ValueStore()
        self.graph = SnapshotGraph(self.values)
        self.version = self.steps = 0
        self.head: str | None = None
        self.events: list[Event] = []
        self._policy = CheckpointPolicy()

    def step(self, outputs: Mapping[str, Any], *, parents: Sequence[str] | None = None, **fields: Any) -> Advance:
        """The advance of one activity that wrote `outputs`."""
        self.write(outputs, parents)
        self.log(EventType.ACTIVITY_STARTED, attempt=1)
        self.log(EventType.ACTIVITY_COMPLETED, head=self.head, outputs=sorted(outputs))
        return self.advance(**fields)

    def write(self, outputs: Mapping[str, Any], parents: Sequence[str] | None = None) -> str:
        """A commit on the head, or on `parents`, which is the new head."""
        self.steps += 1
        element = f"Activity_{self.steps:04d}"
        meta = put_meta(
            self.values,
            EntryMeta(activity=element, producer=Producer.AGENT, created_at=at(self.steps), step=self.steps),
        )
        writes = {f"WORKING/{name}": Write(self.values.put(value), meta) for name, value in outputs.items()}
        before = [self.head] if parents is None and self.head else list(parents or ())
        self.head = self.graph.commit(before, writes=writes, meta=CommitMeta("activity", element, at=at(self.steps))).id
        return self.head

    def log(self, type: EventType, **data: Any) -> None:
        self.events.append(Event(len(self.events), at(self.steps), type, f"Activity_{self.steps:04d}", "", data))

    def advance(self, **fields: Any) -> Advance:
        """All that was made since the last one."""
        commits = self.graph.drain()
        checkpoint = None
        if self.head is not None:
            contents = self.graph.contents(self.head)
            size = sum(space.totals.entries for space in contents.spaces.values())
            if self._policy.due(entries_in(commits), size):
                checkpoint = (self.head, contents.dump())
        logged, self._logged = self.events[self._logged :], len(self.events)
        given: dict[str, Any] = {
            "instance": self.instance,
            "version": self.version,
            "status": "running",
            "at": at(self.steps),
            "head": self.head,
            "counters": {"tasks": self.steps},
            "live_upserts": [(f"t{self.steps}", orjson.dumps([self.steps, self.head]))],
            "live_deletes": [f"t{self.steps - 1}"],
            "events": logged,
            "values": self.values.drain(),
            "commits": commits,
            "checkpoint": checkpoint,
        }
        self.version += 1
        return Advance(**{**given, **fields})

    _logged = 0
