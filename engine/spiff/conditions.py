"""Conditional events are looked at again when a variable they read was written, and then only (BPMN 2.0, 10.5.5)."""

from __future__ import annotations

from SpiffWorkflow.util.task import TaskState

from engine.spiff.task import DrivenTask
from engine.spiff.triggers import ConditionTrigger, MultipleTrigger


def look_again(my_task: DrivenTask) -> None:
    """Evaluate the waiting conditions that read what a task has written, with the variables as it left them.

    Those of the same process count: of a called process and its caller neither sees the other's variables.
    """
    top = my_task.workflow.top_workflow
    written, my_task.written = my_task.written, frozenset()
    if not top.event_manager.tasks:
        return
    waiting_for = top.event_manager.waiting_for
    waiting = {task.id: task for name in written for task in waiting_for(("variable", name))}
    for _, task in sorted(waiting.items()) if waiting else ():
        definition = task.task_spec.event_definition
        if task._state != TaskState.WAITING or task.workflow.home is not my_task.workflow.home:
            continue
        assert isinstance(definition, ConditionTrigger | MultipleTrigger)
        definition.look(task, my_task.data)
        task.task_spec._update(task)
