"""What a host does to contexts from outside, as its agents do and as people may."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.doors.people import PeopleDoor
from engine.governed.attempts import strategy_of
from engine.persistence import dead_ends_of
from engine.result import RunResult
from governance.cda.dead_ends.model import DeadEnd
from governance.ports import timestamp


class ContextsDoor(PeopleDoor):
    """The part of a Governor that changes what agents know."""

    def write_system(self, instance: str, name: str, value: Any, *, by: str) -> RunResult:
        """Ask to change an entry of SYSTEM while the instance runs: an EXPLICIT_APPROVAL decides.

        Once approved it stands in every context of the instance. Raises LayerRefused, NotJson, and InstanceEnded where
        there is nothing left that could see it.
        """
        load = self._mover.load_going
        return self._mover.step(instance, lambda session: session.ask_for_system(name, value, by), load=load)

    def restore_context(self, instance: str, snapshot: str, *, branch: str | None = None, by: str) -> RunResult:
        """Put a token's context back to an earlier snapshot, as a new one on top; then run on."""
        return self._mover.step(instance, lambda session: session.restore_context(snapshot, branch, by))

    def tool(
        self, instance: str, tool: str, arguments: Mapping[str, Any], *, branch: str | None = None, by: str
    ) -> dict[str, Any]:
        """Call one of governance's four tools on a branch of a live instance, as its agents do.

        Conflicts that it settles are answered as `by`. Raises ToolRefused, UnknownBranch, and what `answer` raises.
        """
        told: dict[str, Any] = {}
        self._mover.step(instance, lambda session: told.update(session.use_tool(tool, arguments, branch, by)))
        question, settled = told.get("question"), told.get("settled") or {}
        if question is not None and all(isinstance(choice, Mapping) for choice in settled.values()):
            self.answer(question, "resolve", by=by, reason=f"settled by {tool}", values=settled)
        return told

    def register_dead_end(self, instance: str, variable: str, value: Any, reason: str, *, by: str) -> DeadEnd:
        """An operator says that a value of a variable led nowhere in an instance. Raises UnknownInstance, NotJson."""
        record = self.store.instance(instance)
        registry = dead_ends_of(self.store, record.settings, record.process, record.id)
        scope = record.id if record.settings.get("dead_ends") == "instance" else record.process
        at = timestamp(self._clock.now())
        tried = strategy_of(variable, value, instance, scope)
        found = registry.register(tried, reason=reason, at=at, source="operator", session=instance, by=by)
        assert found is not None
        self.store.dead_ends().add(registry.drain())
        return found
