"""What to mask in each instance, kept up with what the instances write."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

import orjson

from bpmn.codec import from_json
from engine.personal.keys import personal_keys
from engine.personal.masking import Gathered, Masker
from engine.store.advance import InstanceRecord, Stand
from engine.store.port import InstanceStore
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.values import ValueStore

_INSTANCES: Final = 1_024
"""Of how many instances it is remembered what is personal."""


@dataclass(slots=True)
class _Kept:
    """What was gathered of an instance, up to which of its versions."""

    stand: Stand
    gathered: Gathered


class Maskers:
    """Maskers of the instances of a store, from any thread. Where nothing is personal, one costs a look at a row."""

    def __init__(self, store: InstanceStore) -> None:
        self._store, self._lock = store, Lock()
        self._keys: dict[str, tuple[str, ...]] = {}
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def of(self, instance: str) -> Masker:
        """For what has been read of an instance before this was asked for. Raises UnknownInstance."""
        found = self.of_all([instance])
        return found[instance] if found else self.of_record(self._store.instance(instance))

    def of_all(self, instances: Collection[str]) -> Mapping[str, Masker]:
        """The same for several, in one look; those that are not there are absent."""
        stands = self._store.stands(instances) if instances else {}
        return {id: self._at(id, stand) for id, stand in stands.items()}

    def of_record(self, record: InstanceRecord) -> Masker:
        """For what an instance was up to the version of its row."""
        return self._at(record.id, Stand(record.definition, record.epoch, record.version))

    def _at(self, instance: str, stand: Stand) -> Masker:
        """Cost, if it has moved on: its snapshots by id, and what was written since it was last asked for."""
        keys = self._keys_of(stand.definition)
        if not keys:
            return _NOTHING
        with self._lock:
            kept = self._kept.get(instance)
            if kept is None or kept.stand.definition != stand.definition:
                kept = self._kept[instance] = _Kept(Stand(stand.definition, -1, -1), Gathered(keys))
                if len(self._kept) > _INSTANCES:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(instance)
            if kept.stand < stand:
                gather(self._store, instance, kept.gathered)
                kept.stand = stand
            return kept.gathered.masker()

    def _keys_of(self, definition: str) -> tuple[str, ...]:
        if definition not in self._keys:
            self._keys[definition] = keys_of(self._store, definition)
        return self._keys[definition]


def masker_for(store: InstanceStore, instance: str, keys: Sequence[str] | None = None, **how: str) -> Masker:
    """What is personal in an instance: `keys`, None: what its definition names. Raises UnknownInstance."""
    if keys is None:
        keys = keys_of(store, store.instance(instance).definition)
    gathered = Gathered(keys)
    if keys:
        gather(store, instance, gathered)
    return gathered.masker(**how)


def keys_of(store: InstanceStore, definition: str) -> tuple[str, ...]:
    """What a stored definition calls personal. Raises UnknownDefinition."""
    return personal_keys(from_json(orjson.loads(store.definition(definition))))


def gather(store: InstanceStore, instance: str, gathered: Gathered) -> None:
    """Add what an instance has written and was not seen yet."""
    source = store.source(instance)
    gathered.add(SnapshotGraph(ValueStore(source.load), source), store.snapshots(instance))


_NOTHING: Final = Masker((), (), {})
