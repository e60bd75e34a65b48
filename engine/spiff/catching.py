"""Events that wait: how they begin to, and what happens when one catches what it waited for."""

from __future__ import annotations

from typing import Any

from SpiffWorkflow.bpmn.specs.bpmn_task_spec import BpmnTaskSpec
from SpiffWorkflow.bpmn.specs.mixins.events.intermediate_event import BoundaryEvent
from SpiffWorkflow.specs.base import TaskSpec
from SpiffWorkflow.util.task import TaskState

from engine.spiff.driven import Driven
from engine.spiff.hosts import close_host
from engine.spiff.specs import EventHost
from engine.spiff.task import DONE, DrivenTask
from engine.spiff.triggers import MultipleTrigger, Trigger

TIME = "time"
"""Of an event that waits again: which time it is, from 1."""

TAKEN = "taken"
"""Of an event-based gateway: which of its events has happened."""

BESIDE = "beside"
"""Of a boundary event: what it caught leaves the activity alone, whether the event interrupts or not."""


class DrivenCatchingEvent(Driven):
    """Events that wait. The library walks the tree below to reset them for a later round; a round has its own task."""

    event_definition: Any

    def _update_hook(self, my_task: DrivenTask) -> bool | None:
        definition = self.event_definition
        if not isinstance(definition, Trigger):
            ready: bool | None = super()._update_hook(my_task)
            return ready
        if my_task._state == TaskState.WAITING:
            return definition.has_fired(my_task)
        BpmnTaskSpec._update_hook(self, my_task)
        definition.arm(my_task)
        if definition.has_fired(my_task):
            return True
        my_task._set_state(TaskState.WAITING)
        my_task.workflow.top_workflow.event_manager.add_task(my_task)
        return False

    def _on_ready_hook(self, my_task: DrivenTask) -> None:
        super()._on_ready_hook(my_task)
        host = my_task.up
        if host is not None and isinstance(host.task_spec, EventHost) and not isinstance(self, BoundaryEvent):
            close_host(host, my_task)

    def _run_hook(self, my_task: DrivenTask) -> bool | None:
        self.event_definition.update_task_data(my_task)
        self.event_definition.reset(my_task)
        done: bool | None = TaskSpec._run_hook(self, my_task)
        return done

    def _on_cancel(self, my_task: DrivenTask) -> None:
        my_task.workflow.top_workflow.event_manager.remove_task(my_task)
        TaskSpec._on_cancel(self, my_task)

    def wait_again(self, my_task: DrivenTask, token: Any) -> DrivenTask | None:
        """A task beside one that has fired, which waits for the next time with this token; None: there is none."""
        definition = self.event_definition
        if not isinstance(definition, Trigger) or my_task.up is None:
            return None
        again = DrivenTask(my_task.workflow, self, my_task.up, TaskState.FUTURE)
        again.token, again.data, again.entered = token, my_task.data, True
        again.internal_data[TIME] = my_task.internal_data.get(TIME, 1) + 1
        if not definition.carry(my_task, again):
            my_task.workflow.forget(again)
            return None
        again.task_spec._update(again)
        return again


class DrivenBoundaryEvent(DrivenCatchingEvent):
    """An interrupting event interrupts when it fires, not after another step inside the activity."""

    def _on_ready_hook(self, my_task: DrivenTask) -> None:
        super()._on_ready_hook(my_task)
        host = my_task.up
        if host is None:
            return
        if my_task.internal_data.pop(BESIDE, False) or not self.cancel_activity:  # type: ignore[attr-defined]
            token = my_task.token
            my_task.workflow.top_workflow.hooks.split(my_task, [my_task])
            if isinstance(host.task_spec, EventHost):
                self.wait_again(my_task, token)
            return
        main = [t for t in host.children if not isinstance(t.task_spec, BoundaryEvent) and not t._state & DONE]
        if main:
            my_task.workflow.top_workflow.hooks.interrupt(my_task, main)
        for task in main:
            task.cancel()
        if isinstance(host.task_spec, EventHost):
            close_host(host, my_task)


class DrivenEventGateway(DrivenCatchingEvent):
    """An event-based gateway waits for its events itself; the one that happened goes on."""

    def _run_hook(self, my_task: DrivenTask) -> bool | None:
        if not isinstance(self.event_definition, MultipleTrigger):
            self._predict_hook(my_task)  # type: ignore[attr-defined]
            done: bool | None = super(DrivenCatchingEvent, self)._run_hook(my_task)
            return done
        my_task.internal_data[TAKEN] = self.event_definition.first(my_task)
        return super()._run_hook(my_task)

    def _make_children(self, my_task: DrivenTask) -> None:
        taken = my_task.internal_data.pop(TAKEN, None)
        if taken is not None:
            DrivenTask(my_task.workflow, self.outputs[taken], my_task, TaskState.FUTURE)  # type: ignore[attr-defined]
        elif not isinstance(self.event_definition, MultipleTrigger):
            super()._make_children(my_task)


class DrivenEventSplit(Driven):
    """The library's control task in front of an activity with boundary events; its children are no branches."""

    splits = False


class DrivenEventHost(Driven):
    """Begins to wait for the events, then begins the activity."""

    splits = False

    def _run_hook(self, my_task: DrivenTask) -> bool:
        return True
