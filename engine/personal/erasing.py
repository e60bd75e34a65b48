"""Erases what an ended instance knows of a person. The chain of its log stays whole, and it is on record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.errors import EngineError
from engine.events import Event, EventType
from engine.evidence.chain import ERASED
from engine.people.work_item import WorkItem
from engine.personal.masked_store import masked_intervention, masked_item
from engine.personal.maskers import masker_for
from engine.personal.masking import Masker
from engine.replay.cause import NOT_KEPT
from engine.status import Status
from engine.store.advance import Advance, InstanceRecord
from engine.store.erasure import Erasure
from engine.store.port import InstanceStore
from governance.human_loop.intervention import Intervention
from governance.snapshots.canonical import decode

WORD: Final = "[erased]"
"""What stands in the place of what was erased."""


class NotEnded(EngineError):
    """An instance that goes on needs its data."""

    def __init__(self, instance: str, status: str) -> None:
        self.instance, self.status = instance, status
        super().__init__(f"instance {instance} is {status}: data are erased of what has ended; cancel it first")


class NothingPersonal(EngineError):
    """Neither the policies nor the caller say what is personal."""

    def __init__(self, instance: str) -> None:
        self.instance = instance
        super().__init__(f"instance {instance}: its policies name no personalKeys; say which variables: --key NAME")


@dataclass(frozen=True, slots=True)
class Erased:
    """What was, or would be, erased. `shared` are hashes of values that others hold, too: the last erases them."""

    instance: str
    keys: tuple[str, ...]
    values: int
    events: int
    decisions: int
    shared: tuple[str, ...]


class Eraser:
    """Erases on one store."""

    def __init__(self, store: InstanceStore) -> None:
        self._store = store

    def erase(
        self, instance: str, keys: Sequence[str] | None, *, by: str, reason: str, at: str, dry_run: bool = False
    ) -> Erased:
        """Erase the values of variables (`keys`, None: those that its policies call personal), and whatever tells them.

        Raises NotEnded, NothingPersonal, UnknownInstance, VersionConflict.
        """
        record = self._store.instance(instance)
        if not Status(record.status).ended:
            raise NotEnded(instance, record.status)
        masker = masker_for(self._store, instance, keys, mask=WORD)
        if not masker.keys:
            raise NothingPersonal(instance)
        erasure, decisions = self._found(instance, masker)
        shared = self._store.shared_values(erasure)
        own = [hash for hash in erasure.values if hash not in shared]
        found = Erased(instance, masker.keys, len(own), len(erasure.events), decisions, tuple(sorted(shared)))
        if not dry_run:
            kept = Erasure(
                instance=instance, values=own, events=erasure.events, interventions=erasure.interventions,
                work_items=erasure.work_items, causes=erasure.causes,
            )  # fmt: skip
            self._store.erase(kept, self._advance(record, found, by, reason, at))
            self._store.clean()  # what was only held for a while, as outputs that waited for a person, is nobody's now
        return found

    def _found(self, instance: str, masker: Masker) -> tuple[Erasure, int]:
        """What tells something personal, by what it would be without it."""
        store = self._store
        asked = [(each, _unshown(each, masker)) for each in store.interventions(instance=instance, status=None)]
        items = [(each, masked_item(each, masker)) for each in store.work_items(instance=instance, status=None)]
        changed_asked: list[Intervention] = [after for before, after in asked if after != before]
        changed_items: list[WorkItem] = [after for before, after in items if after != before]
        events = [e.seq for e in store.log.events(instance) if e.data is not None and masker.json(e.data) != e.data]
        causes = {}
        for kept in store.causes(instance):
            data = masker.json(kept.cause.data)
            if data != kept.cause.data:
                causes[kept.version] = data
        erasure = Erasure(
            instance=instance, values=sorted(self._values(instance, masker)), events=events,
            interventions=changed_asked, work_items=changed_items, causes=causes,
        )  # fmt: skip
        return erasure, len(changed_asked) + len(changed_items)

    def _values(self, instance: str, masker: Masker) -> set[str]:
        """Hashes of stored values that tell something, whatever in the instance refers to them."""
        stored = self._store.values_of(sorted(self._store.values_held(instance)))
        return {
            hash for hash, raw in stored.items()
            if raw.decode() != f'"{WORD}"' and masker.value(hash, value := decode(raw)) != value
        }  # fmt: skip

    def _advance(self, record: InstanceRecord, found: Erased, by: str, reason: str, at: str) -> Advance:
        """Nothing moves; that it was erased is on record."""
        data = {
            "by": by, "reason": reason, "keys": list(found.keys), "values": found.values, "events": found.events,
            "decisions": found.decisions, "shared": list(found.shared),
        }  # fmt: skip
        event = Event(self._store.load(record.id).next_seq, at, EventType.DATA_ERASED, data=data)
        return Advance(
            instance=record.id, version=record.version, epoch=record.epoch, status=record.status, reason=record.reason,
            at=at, head=record.head, due=record.due, counters=record.counters, events=[event], cause=NOT_KEPT,
        )  # fmt: skip


def _unshown(asked: Intervention, masker: Masker) -> Intervention:
    """The intervention; of what it showed the hash is left if it told something."""
    found = masked_intervention(asked, masker)
    return found if found.shown == asked.shown else found.model_copy(update={"shown": {ERASED: asked.shown_hash}})

