"""Brings instances to other definitions: a live one is put together from its rows, as they are called there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import orjson

from bpmn.codec import from_json
from engine.definitions import Definitions
from engine.launch import Deployed
from engine.operations.migration.planning import MigrationPlan, plan
from engine.session import Session
from engine.sessions import Sessions
from engine.store.port import InstanceStore


class Migrations:
    """Plans and begins migrations for one Governor."""

    def __init__(self, store: InstanceStore, definitions: Definitions, sessions: Sessions) -> None:
        self._store, self._definitions, self._sessions = store, definitions, sessions

    def deployed(self, hash: str) -> Deployed:
        """The main process of a definition. Raises UnknownDefinition."""
        main = from_json(orjson.loads(self._store.definition(hash))).main
        assert main is not None, "what has no main process is not deployed"
        return self._definitions.of(hash, main)

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
        planned = self.plan(instance, self.deployed(hash), mapping)
        planned.require()
        live = {key: orjson.dumps(row) for key, row in planned.rows.items()}
        record = replace(stored.instance, definition=planned.definition, process=planned.process)
        session = self._sessions.of(replace(stored, live=live, instance=record))
        session.instance.migration = planned
        self._renew(session, before.workflow.event_manager.from_outside(), planned)
        return session

    def _renew(self, session: Session, awaited: list[tuple[str, str]], planned: MigrationPlan) -> None:
        """Save every row anew, and what is waited for now in the place of what was."""
        workflow, changes = session.instance.workflow, session.instance.changes
        for scope in workflow.scopes():
            workflow.dirty.update(scope.tasks)
            workflow.records_changed.update((number, (scope, record)) for number, record in scope.records.items())
        workflow.new_scopes += workflow.subprocesses.values()
        workflow.event_manager.changed |= {*awaited} ^ {*workflow.event_manager.from_outside()}
        changes.gone += planned.gone
        changes.definition = (planned.definition, planned.process)
