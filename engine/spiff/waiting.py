"""Events that live tokens wait for."""

from __future__ import annotations

from typing import Any

from engine.spiff.messages import KEY, MessageTrigger, triggers_of
from engine.spiff.task import DrivenTask
from engine.spiff.timers import DUE, Timer
from engine.spiff.triggers import ConditionTrigger, SignalTrigger
from engine.spiff.workflow import DrivenWorkflow


def waiting_events(workflow: DrivenWorkflow) -> list[dict[str, Any]]:
    """{"kind", "element", and "name", "due" or "condition"} of each event awaited, in the order of their tasks."""
    return [told for _, task in sorted(workflow.event_manager.tasks.items()) for told in events_of(task)]


def events_of(task: DrivenTask) -> list[dict[str, Any]]:
    """The same of one task that waits."""
    return [told for each in triggers_of(task) for told in _told(task, each)]


def _told(task: DrivenTask, trigger: Any) -> list[dict[str, Any]]:
    element = task.element_id
    if isinstance(trigger, Timer):
        return [{"kind": "timer", "element": element, "due": task.internal_data.get(DUE, {}).get(trigger.name)}]
    if isinstance(trigger, MessageTrigger):
        told = {"kind": "message", "element": element, "name": trigger.label_of(task)}
        key = task.internal_data.get(KEY, {}).get(trigger.name)
        return [told if key is None else {**told, "key": key}]
    if isinstance(trigger, SignalTrigger):
        return [{"kind": "signal", "element": element, "name": trigger.label_of(task)}]
    if isinstance(trigger, ConditionTrigger):
        return [{"kind": "conditional", "element": element, "condition": trigger.program.site.text}]
    return []
