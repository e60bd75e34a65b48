"""Events that live tokens wait for."""

from __future__ import annotations

from typing import Any

from SpiffWorkflow.bpmn.specs.event_definitions.item_aware_event import SignalEventDefinition
from SpiffWorkflow.bpmn.specs.event_definitions.message import MessageEventDefinition
from SpiffWorkflow.bpmn.specs.event_definitions.multiple import MultipleEventDefinition
from SpiffWorkflow.bpmn.specs.event_definitions.timer import TimerEventDefinition

from engine.spiff.task import DrivenTask
from engine.spiff.timers import DUE
from engine.spiff.workflow import DrivenWorkflow


def waiting_events(workflow: DrivenWorkflow) -> list[dict[str, Any]]:
    """{"kind", "element", "name" or "due"} of each event awaited, in the order of their tasks."""
    found: list[dict[str, Any]] = []
    for _, task in sorted(workflow.event_manager.tasks.items()):
        definition = task.task_spec.event_definition
        inner = definition.event_definitions if isinstance(definition, MultipleEventDefinition) else [definition]
        for each in inner:
            found.extend(_told(task, each))
    return found


def _told(task: DrivenTask, definition: Any) -> list[dict[str, Any]]:
    element = task.element_id
    if isinstance(definition, TimerEventDefinition):
        return [{"kind": "timer", "element": element, "due": task.internal_data.get(DUE)}]
    if isinstance(definition, MessageEventDefinition):
        return [{"kind": "message", "element": element, "name": definition.name}]
    if isinstance(definition, SignalEventDefinition):
        return [{"kind": "signal", "element": element, "name": definition.name}]
    return []
