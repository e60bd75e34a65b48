"""What is thrown: errors and escalations outwards, signals to all that wait, and the end of a scope.

The library offers an error to every boundary event of a scope that names its code, also on activities that have
nothing to do with it. Here it goes to the activity it came from, then to event sub-processes and activities around
that one (BPMN 2.0, 10.5.7).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from SpiffWorkflow.bpmn.specs.control import BoundaryEventSplit
from SpiffWorkflow.bpmn.specs.mixins.events.intermediate_event import BoundaryEvent
from SpiffWorkflow.util.task import TaskState

from engine.errors import EngineError
from engine.spiff.specs import EventHost, Listener
from engine.spiff.task import DrivenTask
from engine.spiff.triggers import ErrorTrigger, EscalationTrigger, Outwards, SignalTrigger, Topic


class UncaughtError(EngineError):
    """A BPMN error that nothing around it catches."""

    def __init__(self, element: str, code: str | None, name: str | None) -> None:
        self.element, self.code, self.error_name = element, code, name
        super().__init__(
            f"{element}: error {code or name or '(no code)'} reached no error boundary event and no event sub-process"
        )


class ThrownError(ErrorTrigger):
    """An error end event throws towards what is around it."""

    def __init__(self, name: str, label: str | None, code: str | None, *, message: str | None = None) -> None:
        super().__init__(name, label, code)
        self.message = message

    def throw(self, my_task: DrivenTask) -> bool:
        code = self.code_at(my_task)
        if not throw_error(my_task, code, self.label, message=self.message):
            raise UncaughtError(my_task.element_id or "", code, self.label)
        return True


class ThrownEscalation(EscalationTrigger):
    """An escalation goes outwards until somebody catches it; uncaught it does no harm."""

    def throw(self, my_task: DrivenTask) -> bool:
        _throw_outwards(my_task, EscalationTrigger, self.code_at(my_task), self.label, {})
        return True


class ThrownSignal(SignalTrigger):
    """A signal goes to everything in the instance that waits for it, and to whoever listens outside."""

    def throw(self, my_task: DrivenTask) -> bool:
        top = my_task.workflow.top_workflow
        label = self.label_at(my_task)
        top.signals.append(label)
        broadcast(top, (self.kind, label), {})
        return True


def broadcast(workflow: Any, topic: Topic, payload: Mapping[str, Any]) -> int:
    """Offer something to all that wait for it at this moment; returns how many did."""
    caught = 0
    for task in workflow.event_manager.waiting_for(topic):
        if task._state == TaskState.WAITING:  # an earlier one may have interrupted it
            task.task_spec.event_definition.take(task, topic, payload)
            task.task_spec._update(task)
            caught += 1
    return caught


def throw_error(
    my_task: DrivenTask,
    code: str | None,
    name: str | None,
    payload: Mapping[str, Any] | None = None,
    message: str | None = None,
) -> bool:
    """Raise a BPMN error at a task. Returns whether something around it caught it."""
    return _throw_outwards(my_task, ErrorTrigger, code, name, payload or {}, message=message)


def throw_exception(my_task: DrivenTask, error: Exception) -> bool:
    """Raise an exception at a task as the BPMN error whose code is the name of its class, or of one above it.

    Returns whether something around it catches that code; what catches all errors is for errors of the model.
    """
    names = [each.__name__ for each in type(error).__mro__ if issubclass(each, Exception) and each is not Exception]
    return any(_throw_outwards(my_task, ErrorTrigger, name, None, {}, least=2, message=str(error)) for name in names)


def _throw_outwards(
    my_task: DrivenTask,
    kind: type[Outwards],
    code: str | None,
    label: str | None,
    payload: Mapping[str, Any],
    least: int = 1,
    message: str | None = None,
) -> bool:
    """`least` is how well what catches it must fit: see `Outwards.rank`."""
    task: DrivenTask | None = my_task
    while task is not None:
        best = _best(beside(task), kind, code, label, least)
        if best is None and not _is_instance(task) and not _is_listening(task):
            waiting = [each for each in task.workflow.background.values() if isinstance(each.task_spec, Listener)]
            best = _best(waiting, kind, code, label, least)
        if best is not None:
            event, trigger = best
            brought = {**payload, **trigger.told(code, message)}
            event.task_spec.event_definition.accept(event, trigger, (kind.kind, code or label or ""), brought)
            event.task_spec._update(event)
            return True
        task = _around(task)
    return False


def _is_listening(task: DrivenTask) -> bool:
    """Whether a task is an event sub-process: what comes out of it is for what is around its scope (10.5.7)."""
    return task.up is not None and isinstance(task.up.task_spec, Listener)


def _is_instance(task: DrivenTask) -> bool:
    return task.triggered and task.up is not None and task.up.up is not None


def _around(task: DrivenTask) -> DrivenTask | None:
    """The activity around a task: its multi-instance wrapper, else what opened its scope."""
    around: DrivenTask | None = task.up if _is_instance(task) else task.workflow.outer
    return around


def beside(task: DrivenTask) -> Iterable[DrivenTask]:
    """The boundary events that wait beside a task."""
    host = task.up
    if host is None or not isinstance(host.task_spec, EventHost | BoundaryEventSplit):
        return ()
    return [event for event in host.down if isinstance(event.task_spec, BoundaryEvent) and event is not task]


def _best(
    events: Iterable[DrivenTask], kind: type[Outwards], code: str | None, label: str | None, least: int
) -> tuple[DrivenTask, Outwards] | None:
    """The waiting event that names the code, else one that catches all, and which of its triggers does."""
    ranked: list[tuple[int, int, DrivenTask, Outwards]] = []
    for event in events:
        if event._state == TaskState.WAITING:
            for each in event.task_spec.event_definition.open_triggers(event):
                if isinstance(each, kind) and each.rank(code, label) >= least:
                    ranked.append((each.rank(code, label), -event.id, event, each))
    return max(ranked, key=lambda entry: entry[:2])[2:] if ranked else None
