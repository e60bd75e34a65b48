"""A store that is looked at without what says something of a person. It only reads: what is masked is not as stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, cast

import orjson

from bpmn.codec import from_json
from engine.events import Event
from engine.people.work_item import WorkItem
from engine.personal.keys import personal_keys
from engine.personal.masking import Masker, masker_of
from engine.store.advance import StoredInstance
from engine.store.parts import ContextSource
from engine.store.port import InstanceStore
from governance.human_loop.intervention import Intervention
from governance.snapshots.canonical import canonical, decode
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.values import ValueStore


def masked(store: InstanceStore) -> InstanceStore:
    """The store, masked by what each instance's definition calls personal."""
    return cast(InstanceStore, MaskedStore(store))


def masker_for(store: InstanceStore, instance: str, keys: Sequence[str] | None = None, **how: str) -> Masker:
    """What is personal in an instance: `keys`, None: what its definition names. Raises UnknownInstance."""
    if keys is None:
        record = store.instance(instance)
        keys = personal_keys(from_json(orjson.loads(store.definition(record.definition))))
    source = store.source(instance)
    graph = SnapshotGraph(ValueStore(source.load), source)
    return masker_of(graph, store.snapshots(instance) if keys else (), keys, **how)


class MaskedStore:
    """Everything else is the store's own."""

    def __init__(self, store: InstanceStore) -> None:
        self._store = store
        self._maskers: dict[str, Masker] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def events(self, instance: str, **which: Any) -> list[Event]:
        masker = self._masker(instance)
        return [event._replace(data=masker.json(event.data)) for event in self._store.events(instance, **which)]

    def load(self, instance: str) -> StoredInstance:
        stored = self._store.load(instance)
        return replace(
            stored,
            work_items=[self._item(each) for each in stored.work_items],
            interventions=[self._intervention(each) for each in stored.interventions],
        )

    def interventions(self, **which: Any) -> Sequence[Intervention]:
        return [self._intervention(each) for each in self._store.interventions(**which)]

    def intervention(self, id: str) -> Intervention:
        return self._intervention(self._store.intervention(id))

    def work_items(self, **which: Any) -> Sequence[WorkItem]:
        return [self._item(each) for each in self._store.work_items(**which)]

    def work_item(self, id: str) -> WorkItem:
        return self._item(self._store.work_item(id))

    def source(self, instance: str) -> ContextSource:
        return _MaskedSource(self._store.source(instance), self._masker(instance))

    def _masker(self, instance: str) -> Masker:
        if instance not in self._maskers:
            self._maskers[instance] = masker_for(self._store, instance)
        return self._maskers[instance]

    def _intervention(self, asked: Intervention) -> Intervention:
        return masked_intervention(asked, self._masker(asked.instance))

    def _item(self, item: WorkItem) -> WorkItem:
        return masked_item(item, self._masker(item.instance))


class _MaskedSource:
    """Snapshots as they are, values masked."""

    def __init__(self, source: ContextSource, masker: Masker) -> None:
        self._source, self._masker = source, masker

    def commits(self, snapshot: str) -> Any:
        return self._source.commits(snapshot)

    def checkpoint(self, snapshot: str) -> Mapping[str, Any] | None:
        return self._source.checkpoint(snapshot)

    def load(self, value_hash: str) -> bytes:
        raw = self._source.load(value_hash)
        value = decode(raw)
        found = self._masker.value(value_hash, value)
        return raw if found == value else canonical(found)


def masked_intervention(asked: Intervention, masker: Masker) -> Intervention:
    """What it shows, says, and was answered; hashes stay those of what was shown."""
    changed: dict[str, Any] = {"shown": masker.json(asked.shown), "message": masker.json(asked.message)}
    if asked.answer is not None:
        answer = {"reason": masker.json(asked.answer.reason), "values": masker.json(asked.answer.values)}
        changed["answer"] = asked.answer.model_copy(update=answer)
    return asked.model_copy(update=changed)


def masked_item(item: WorkItem, masker: Masker) -> WorkItem:
    known = {field.name for field in fields(item)}
    changed = {name: masker.json(getattr(item, name)) for name in ("shown", "outputs") if name in known}
    return replace(item, **changed)

