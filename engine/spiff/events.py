"""Event definitions that behave by scope, and errors that find their boundary event.

The library offers an error to every boundary event of a scope that names its code, also on activities that have
nothing to do with it. Here it goes to the activity it came from, then to the activities around that one
(BPMN 2.0, 10.5.7).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from SpiffWorkflow.bpmn.specs.control import BoundaryEventSplit
from SpiffWorkflow.bpmn.specs.event_definitions.item_aware_event import (
    ErrorEventDefinition,
    EscalationEventDefinition,
    SignalEventDefinition,
)
from SpiffWorkflow.bpmn.specs.event_definitions.message import MessageEventDefinition
from SpiffWorkflow.bpmn.specs.event_definitions.multiple import MultipleEventDefinition
from SpiffWorkflow.bpmn.specs.mixins.events.intermediate_event import BoundaryEvent
from SpiffWorkflow.bpmn.util.event import BpmnEvent
from SpiffWorkflow.util.task import TaskState

from engine.errors import EngineError
from engine.spiff.task import DrivenTask

if TYPE_CHECKING:
    from engine.spiff.workflow import DrivenWorkflow


class UncaughtError(EngineError):
    """A BPMN error that no boundary event around it catches."""

    def __init__(self, element: str, code: str | None, name: str | None) -> None:
        self.element, self.code, self.error_name = element, code, name
        super().__init__(f"{element}: error {code or name or '(no code)'} reached no error boundary event")


class CarriesData:
    """What an event brings along is handed to the hooks."""

    name: str

    def update_task_data(self, my_task: DrivenTask) -> None:
        payload = my_task.internal_data.get(self.name)
        if payload:
            my_task.workflow.top_workflow.hooks.received(my_task, payload)


class ScopedError(CarriesData, ErrorEventDefinition):
    """An error end event throws towards the activities around it."""

    def throw(self, my_task: DrivenTask) -> None:
        if not throw_error(my_task, self.code, self.name):
            raise UncaughtError(my_task.element_id or "", self.code, self.name)


class ScopedEscalation(CarriesData, EscalationEventDefinition):
    """An escalation goes outwards until somebody catches it; uncaught it does no harm."""

    def throw(self, my_task: DrivenTask) -> None:
        _throw_outwards(my_task, EscalationEventDefinition, self.code, None)


class InstanceMessage(CarriesData, MessageEventDefinition):
    """A message; thrown without payload."""

    def throw(self, my_task: DrivenTask) -> None:
        my_task.workflow.top_workflow.catch(BpmnEvent(self, payload={}))


class InstanceSignal(CarriesData, SignalEventDefinition):
    """A signal, offered to everything in the instance that waits for it."""

    def throw(self, my_task: DrivenTask) -> None:
        my_task.workflow.top_workflow.catch(BpmnEvent(self, payload={}))


class NotAwaited(EngineError):
    """A message that nothing in the instance waits for."""

    def __init__(self, name: str, awaited: list[str]) -> None:
        self.name, self.awaited = name, awaited
        super().__init__(f"message {name}: nothing waits for it; awaited are {', '.join(awaited) or 'none'}")


def deliver(workflow: DrivenWorkflow, name: str, payload: Mapping[str, Any]) -> DrivenTask:
    """Give a message to the one that has waited for it longest. Raises NotAwaited."""
    event = BpmnEvent(InstanceMessage(name), payload=dict(payload))
    waiting = [task for _, task in sorted(workflow.event_manager.tasks.items())]
    for task in waiting:
        if task.task_spec.catches(task, event):
            task.task_spec.catch(task, event)
            task.task_spec._update(task)
            return task
    raise NotAwaited(name, sorted({each for task in waiting for each in _message_names(task)}))


def _message_names(task: DrivenTask) -> list[str]:
    definition = task.task_spec.event_definition
    inner = definition.event_definitions if isinstance(definition, MultipleEventDefinition) else [definition]
    return [each.name for each in inner if isinstance(each, MessageEventDefinition)]


def throw_error(my_task: DrivenTask, code: str | None, name: str | None, payload: dict[str, Any] | None = None) -> bool:
    """Raise a BPMN error at a task. Returns whether a boundary event caught it."""
    return _throw_outwards(my_task, ErrorEventDefinition, code, payload)


def _throw_outwards(my_task: DrivenTask, kind: type, code: str | None, payload: dict[str, Any] | None) -> bool:
    task: DrivenTask | None = my_task
    while task is not None:
        event = _catcher(task, kind, code)
        if event is not None:
            definition = event.task_spec.event_definition
            event.task_spec.catch(event, BpmnEvent(definition, payload=payload or {}))
            event.task_spec._update(event)
            return True
        task = _around(task)
    return False


def _around(task: DrivenTask) -> DrivenTask | None:
    """The activity around a task: its multi-instance wrapper, else what opened its scope."""
    if task.triggered and task.up is not None:
        return task.up
    return task.workflow.outer


def _catcher(task: DrivenTask, kind: type, code: str | None) -> DrivenTask | None:
    """The waiting boundary event on the task's own activity that names the code; one without a code catches all."""
    split = task.up
    if split is None or not isinstance(split.task_spec, BoundaryEventSplit):
        return None
    events = [
        event
        for event in split.down
        if isinstance(event.task_spec, BoundaryEvent)
        and isinstance(event.task_spec.event_definition, kind)
        and event._state == TaskState.WAITING
    ]
    exact = [event for event in events if code is not None and event.task_spec.event_definition.code == code]
    any_code = [event for event in events if event.task_spec.event_definition.code is None]
    return next(iter(exact + any_code), None)
