"""The definitions that an instance went by, and how it went from one to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

import orjson

from engine.definitions import Definitions
from engine.events import EventType
from engine.governed.hooks import GovernedHooks
from engine.instance import Instance
from engine.launch import Deployed, Launcher
from engine.operations.migration.planning import plan
from engine.operations.migration.renewing import renew
from engine.operations.operating import asked_for
from engine.persistence import restore
from engine.replay.cause import Kind
from engine.replay.errors import NotReplayable
from engine.replay.sink import Sink
from engine.store.advance import InstanceRecord, StoredInstance
from engine.store.causes import KeptCause
from engine.store.port import InstanceStore


class Migration(NamedTuple):
    """To another definition; `mapping` says what in it stands for what in the one before."""

    to: Deployed
    mapping: Mapping[str, str]


class DefinitionsThen:
    """Which definition an instance began with, and which advances brought it to others.

    Raises UnknownDefinition, and NotReplayable where it was erased which one that was.
    """

    def __init__(self, store: InstanceStore, definitions: Definitions, record: InstanceRecord) -> None:
        self._store, self._definitions = store, definitions
        told = store.events(record.id, types=[EventType.INSTANCE_MIGRATED])
        places = {event.seq for event in told}
        seals = store.log.seals(record.id) if told else ()
        self._migrated = {
            seal.version for seal in seals if not places.isdisjoint(range(seal.first, seal.first + seal.length))
        }
        self.first = definitions.of(record.definition, record.process)
        if told:
            [began] = store.events(record.id, types=[EventType.INSTANCE_STARTED], limit=1)
            if "before" not in told[0].data or "process" not in began.data:
                raise NotReplayable(record.id, 1, "it was migrated, and what it went by before was erased")
            self.first = definitions.of(told[0].data["before"], began.data["process"])

    def migration(self, kept: KeptCause) -> Migration | None:
        """That of an advance; None where it was none, or did not come to it."""
        if kept.version not in self._migrated:
            return None
        data = kept.cause.data
        if kept.cause.kind is Kind.ANSWER:
            wanted = asked_for(self._store.intervention(data["id"])).dump()
        else:
            wanted = data["operation"]
        return Migration(self._definitions.main(wanted["definition"]), wanted.get("mapping", {}))


def migrate(
    old: Instance, before: Deployed, migration: Migration, record: InstanceRecord, sink: Sink, launcher: Launcher
) -> tuple[Instance, GovernedHooks]:
    """The instance on the other definition, as the rows that its advances left in the sink make it. The step that
    tells it so is still to come. Raises NotMigratable."""
    assert sink.last is not None, "an instance is migrated once it has begun"
    last, rows = sink.last, {key: orjson.loads(row) for key, row in sink.rows.items()}
    planned = plan(old.id, rows, before, migration.to, migration.mapping)
    planned.require()
    then = replace(
        record, definition=planned.definition, process=planned.process, status=last.status, reason=last.reason,
        counters=last.counters, head=last.head, version=old.version, epoch=old.epoch, updated_at=last.at,
    )  # fmt: skip
    stored = StoredInstance(
        instance=then,
        live={key: orjson.dumps(row) for key, row in planned.rows.items()},
        work_items=[item for item in old.work_items.values() if item.status == "open"],
        interventions=[asked for asked in old.interventions.values() if asked.status == "open"],
        next_seq=old.log.next_seq,
    )
    instance, hooks = restore(stored, migration.to, old.graph, launcher, datetime.fromisoformat(last.at))
    instance.taint = old.taint
    renew(instance, old.workflow.event_manager.from_outside(), planned)
    return instance, hooks
