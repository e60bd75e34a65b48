"""Transactions: cancelled, what goes on in them stops, what has finished is undone, and the cancel event goes on.

Its context is the transaction's own, as its handlers left it: the work was not cut off but taken back
(BPMN 2.0, 10.3.7 and 13.5.5).
"""

from __future__ import annotations

from SpiffWorkflow.util.task import TaskState

from engine.errors import EngineError
from engine.spiff.compensation import compensate
from engine.spiff.events import beside
from engine.spiff.listeners import clear, tokens_of
from engine.spiff.task import DrivenTask
from engine.spiff.triggers import CancelTrigger


class NotCaughtCancel(EngineError):
    """A transaction was cancelled, and nothing says what follows."""

    def __init__(self, element: str) -> None:
        self.element = element
        super().__init__(f"{element}: the transaction has no cancel boundary event to go on with")


class ThrownCancel(CancelTrigger):
    """A cancel end event."""

    def throw(self, my_task: DrivenTask) -> bool | None:
        scope = my_task.workflow
        tokens = tokens_of(scope, my_task)
        if tokens:
            scope.top_workflow.hooks.interrupt(my_task, tokens)
        clear(scope, my_task)
        if compensate(scope, my_task, None):
            self.undone(my_task)
        return None

    def undone(self, my_task: DrivenTask) -> None:
        """All is taken back: the cancel event of the transaction goes on."""
        opener = my_task.workflow.outer
        events = () if opener is None else beside(opener)
        for event in events:
            definition = event.task_spec.event_definition
            if event._state == TaskState.WAITING and isinstance(definition, CancelTrigger):
                my_task.workflow.top_workflow.hooks.take_back(event, my_task)
                definition.take(event, ("cancel", ""), {})
                event.task_spec._update(event)
                return
        raise NotCaughtCancel("" if opener is None else opener.element_id or "")
