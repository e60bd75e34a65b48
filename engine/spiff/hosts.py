"""Activities and the boundary events that wait beside them."""

from __future__ import annotations

from SpiffWorkflow.util.task import TaskState

from engine.spiff.pruning import CLOSED
from engine.spiff.task import DONE, DrivenTask


def close_host(host: DrivenTask, survivor: DrivenTask) -> None:
    """What waits beside an activity waits no longer: it is done, or one of the events took its place."""
    host.internal_data[CLOSED] = True
    top = host.workflow.top_workflow
    top.dirty[host.id] = host
    for task in host.children:
        if task is not survivor and task._state == TaskState.WAITING:
            task.cancel()
    for task in host.children:
        if task is not survivor and task._state & DONE and not task.down:
            top.pruner.prune(task)
