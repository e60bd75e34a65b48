"""Brings instances to other definitions: a live one is put together from its rows, as they are called there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import orjson

from engine.definitions import Definitions
from engine.launch import Deployed
from engine.operations.migration.planning import MigrationPlan, plan
from engine.operations.migration.renewing import renew
from engine.session import Session
from engine.sessions import Sessions
from engine.store.port import InstanceStore


class Migrations:
    """Plans and begins migrations for one Governor."""

    def __init__(self, store: InstanceStore, definitions: Definitions, sessions: Sessions) -> None:
        self._store, self._definitions, self._sessions = store, definitions, sessions

    def plan(self, instance: str, to: Deployed, mapping: Mapping[str, str]) -> MigrationPlan:
        """What maps and what does not. Raises UnknownInstance."""
        stored = self._store.load(instance)
        record = stored.instance
        rows = {key: orjson.loads(row) for key, row in stored.live.items()}
        return plan(instance, rows, self._definitions.of(record.definition, record.process), to, mapping)

    def begun(self, instance: str, hash: str, mapping: Mapping[str, str]) -> Session:
        """The instance on the other definition, to be committed with what is done next. Raises NotMigratable."""
        stored = self._store.load(instance)
        self._sessions.expecting.check(stored.instance)
        before, _ = self._sessions.restore(stored)
        planned = self.plan(instance, self._definitions.main(hash), mapping)
        planned.require()
        live = {key: orjson.dumps(row) for key, row in planned.rows.items()}
        record = replace(stored.instance, definition=planned.definition, process=planned.process)
        session = self._sessions.of(replace(stored, live=live, instance=record))
        renew(session.instance, before.workflow.event_manager.from_outside(), planned)
        return session
