"""What instances came to, from what is live or from what is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.instance import Instance
from engine.persistence import final_head, graph_from, variables_at
from engine.result import RunResult, Summary
from engine.session import Session
from engine.sessions import Sessions
from engine.standing import Differing, branch_heads, split_up
from engine.status import Status
from engine.store.port import InstanceStore
from engine.waiting import what_it_waits_for


class Results:
    """Looks at instances; nothing moves."""

    def __init__(self, store: InstanceStore, sessions: Sessions) -> None:
        self._store, self._sessions = store, sessions

    def of(self, instance: str) -> RunResult:
        """Raises UnknownInstance."""
        record = self._store.instance(instance)
        if not Status(record.status).ended:
            return self.of_session(self._sessions.load(instance))
        graph = graph_from(self._store, instance)
        return self._told(instance, record.status, record.reason, variables_at(graph, record.head))

    def of_session(self, session: Session) -> RunResult:
        """What a live instance came to."""
        instance = session.instance
        variables, differing = variables_at(instance.graph, final_head(instance)), Differing()
        if not instance.status.ended:
            variables, differing = split_up(instance.graph, session.hooks.open_writes, variables)
        reason = self._store.as_told(instance.id, instance.reason)
        result = self._told(instance.id, instance.status, reason, variables)
        failed = [
            {"element": each.element, "error": each.error, "kind": each.kind} for each in instance.incidents.values()
        ]
        failed = self._store.as_told(instance.id, failed)
        return replace(result, differing=differing, waiting=self._waiting(instance), incidents=failed)

    def _waiting(self, instance: Instance) -> list[dict[str, Any]]:
        """Forms say what is asked for, not what anything is."""
        found = what_it_waits_for(instance)
        told = [{name: value for name, value in each.items() if name != "form"} for each in found]
        return [{**each, **masked} for each, masked in zip(found, self._store.as_told(instance.id, told), strict=True)]

    def heads(self, instance: str) -> dict[str, str]:
        """The branches that are still going on, each with the snapshot it stands on. Raises UnknownInstance."""
        if Status(self._store.instance(instance).status).ended:
            return {}
        live, _ = self._sessions.restore(self._store.load(instance))
        return branch_heads(live)

    def _told(self, id: str, status: str, reason: str | None, variables: Mapping[str, Any]) -> RunResult:
        summary = Summary().add_all(self._store.events(id))
        asked = self._store.interventions(instance=id, status=None)
        return RunResult(
            instance=id,
            status=str(status),
            reason=reason,
            variables=variables,
            decisions=summary.decisions,
            conflicts=summary.conflicts,
            interventions=summary.interventions(asked),
            dead_ends=summary.dead_ends,
            measures=summary.measures(),
        )
