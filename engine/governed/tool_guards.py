"""Looks at an agent's tool calls before they are made, with what the instance knows (`ToolGuard`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bpmn.definition import Element
from engine.activities.tools.guard import ALLOWED, Guarded, ToolUse
from engine.events import EventType
from engine.governed.activity_run import ActivityRun
from engine.governed.attempts import Attempts
from engine.governed.dead_ends import facts_of
from engine.instance import Instance
from engine.spiff.task import DrivenTask
from governance.cda.dead_ends.model import DeadEnd
from governance.vocabulary import Effect, InteractionLevel

Note = Callable[[str, Mapping[str, Any]], None]


class DeadEndGuard:
    """Refuses calls that are known to fail, with the reason and what worked instead; learns from those made."""

    def __init__(self, instance: Instance, task: DrivenTask, element: Element, note: Note) -> None:
        self._instance, self._task, self._element, self._note = instance, task, element, note
        self._attempts = Attempts(instance)

    def before(self, use: ToolUse) -> Guarded:
        registry = self._instance.dead_ends
        if not registry.knows(f"tool:{use.tool}"):
            return ALLOWED
        match = registry.match(self._attempts.tool(self._task, self._run, self._element, use), self._instance.at)
        if match.dead_end is None:
            return ALLOWED
        refused = match.verdict == "refused" and self._instance.settings.get("dead_ends") != "told"
        what, alike = "refused" if refused else "told", round(match.similarity, 4)
        notes = ((EventType.DEAD_END.value, _facts(what, match.dead_end, similarity=alike)),)
        if not refused:
            return Guarded(notes=notes)
        return Guarded(InteractionLevel.AUTO_DENY, f"it is a known dead end. {match.told}", notes)

    def after(self, use: ToolUse, failure: str | None) -> None:
        if use.effect is not Effect.READ:
            self._run.effects = max(self._run.effects, use.writes + 1)
        instance, registry = self._instance, self._instance.dead_ends
        if failure is None and not registry.knows(f"tool:{use.tool}"):
            return
        attempt = self._attempts.tool(self._task, self._run, self._element, use)
        if failure is None:
            told = self._attempts.told(use)
            for each in registry.succeeded(attempt, at=instance.at, session=instance.id, told=told):
                self._told("worked", each)
            return
        found = registry.register(attempt, reason=failure, at=instance.at, source="tool", session=instance.id)
        if found is not None:
            self._told("registered", found)

    @property
    def _run(self) -> ActivityRun:
        run: ActivityRun = self._task.activity
        return run

    def _told(self, what: str, found: DeadEnd) -> None:
        self._note(EventType.DEAD_END.value, _facts(what, found))


def _facts(what: str, found: DeadEnd, **more: Any) -> dict[str, Any]:
    return {"what": what, **facts_of(found), **more}
