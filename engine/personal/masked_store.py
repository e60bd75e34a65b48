"""A store that is looked at without what says something of a person. It only reads: what is masked is not as stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Final, TypeVar, cast

from engine.events import Event
from engine.people.work_item import WorkItem
from engine.personal.keys import paths_of
from engine.personal.maskers import Maskers
from engine.personal.masking import Masker
from engine.store.advance import InstanceRecord, OpenIncident, StoredInstance
from engine.store.parts import ContextSource
from engine.store.port import InstanceStore
from governance.human_loop.intervention import Intervention
from governance.snapshots.canonical import canonical, decode

T = TypeVar("T")


def masked(store: InstanceStore) -> InstanceStore:
    """The store, masked by what each instance's definition calls personal. May be used from any thread."""
    return cast(InstanceStore, MaskedStore(store))


class MaskedStore:
    """Everything else is the store's own.

    What is masked is read first, and what to mask looked up after that: a value that came in between is known, too.
    """

    def __init__(self, store: InstanceStore) -> None:
        self._store, self._maskers = store, Maskers(store)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def masker(self, instance: str) -> Masker:
        """For what has been read of an instance before. Raises UnknownInstance."""
        return self._maskers.of(instance)

    def as_told(self, instance: str, value: T) -> T:
        """JSON of an instance, masked."""
        return cast(T, self._maskers.of(instance).json(value))

    def instance(self, instance: str) -> InstanceRecord:
        return self._record(self._store.instance(instance))

    def instances(self, **which: Any) -> list[InstanceRecord]:
        return [self._record(each) for each in self._store.instances(**which)]

    def incidents(self, **which: Any) -> Sequence[OpenIncident]:
        found = self._store.incidents(**which)
        maskers = self._maskers.of_all({each.instance for each in found})
        return [replace(each, error=_by(maskers, each.instance).json(each.error)) for each in found]

    def events(self, instance: str, **which: Any) -> list[Event]:
        events = self._store.events(instance, **which)
        if not events:
            return events
        masker = self._maskers.of(instance)
        return [event._replace(data=masker.json(event.data)) for event in events]

    def load(self, instance: str) -> StoredInstance:
        stored = self._store.load(instance)
        masker = self._maskers.of_record(stored.instance)
        return replace(
            stored,
            instance=self._record(stored.instance),
            work_items=[masked_item(each, masker) for each in stored.work_items],
            interventions=[masked_intervention(each, masker) for each in stored.interventions],
        )

    def interventions(self, **which: Any) -> Sequence[Intervention]:
        found = self._store.interventions(**which)
        maskers = self._maskers.of_all({each.instance for each in found})
        return [masked_intervention(each, _by(maskers, each.instance)) for each in found]

    def intervention(self, id: str) -> Intervention:
        asked = self._store.intervention(id)
        return masked_intervention(asked, self._maskers.of(asked.instance))

    def work_items(self, **which: Any) -> Sequence[WorkItem]:
        found = self._store.work_items(**which)
        maskers = self._maskers.of_all({each.instance for each in found})
        return [masked_item(each, _by(maskers, each.instance)) for each in found]

    def work_item(self, id: str) -> WorkItem:
        item = self._store.work_item(id)
        return masked_item(item, self._maskers.of(item.instance))

    def source(self, instance: str) -> ContextSource:
        return _MaskedSource(self._store.source(instance), self._maskers, instance)

    def _record(self, record: InstanceRecord) -> InstanceRecord:
        """Why it stands so is the only text in it that is anybody's."""
        if record.reason is None:
            return record
        return replace(record, reason=self._maskers.of_record(record).json(record.reason))


def _by(maskers: Mapping[str, Masker], instance: str) -> Masker:
    """Of an instance that was removed since nothing is told."""
    return maskers.get(instance, _ALL)


class _MaskedSource:
    """Snapshots as they are, values masked: also those of snapshots that were made since it was opened."""

    def __init__(self, source: ContextSource, maskers: Maskers, instance: str) -> None:
        self._source, self._maskers, self._instance = source, maskers, instance
        self._masker: Masker | None = None

    def commits(self, snapshot: str) -> Any:
        self._masker = None
        return self._source.commits(snapshot)

    def checkpoint(self, snapshot: str) -> Mapping[str, Any] | None:
        return self._source.checkpoint(snapshot)

    def load(self, value_hash: str) -> bytes:
        raw = self._source.load(value_hash)
        if self._masker is None:
            self._masker = self._maskers.of(self._instance)
        if not self._masker.masks:
            return raw
        value = decode(raw)
        found = self._masker.value(value_hash, value)
        return raw if found == value else canonical(found)


def masked_intervention(asked: Intervention, masker: Masker) -> Intervention:
    """What it shows, says, and was answered; hashes stay those of what was shown."""
    if not masker.masks:
        return asked
    changed: dict[str, Any] = {"shown": masker.json(asked.shown), "message": masker.json(asked.message)}
    if asked.delegations:
        told = [each.model_copy(update={"reason": masker.json(each.reason)}) for each in asked.delegations]
        changed["delegations"] = tuple(told)
    if asked.answer is not None:
        answer = {"reason": masker.json(asked.answer.reason), "values": masker.json(asked.answer.values)}
        changed["answer"] = asked.answer.model_copy(update=answer)
    return asked.model_copy(update=changed)


def masked_item(item: WorkItem, masker: Masker) -> WorkItem:
    if not masker.masks:
        return item
    known = {field.name for field in fields(item)}
    changed = {name: masker.json(getattr(item, name)) for name in ("shown", "outputs") if name in known}
    return replace(item, **changed)


_ALL: Final = Masker(paths_of(["*"]), (), {})
