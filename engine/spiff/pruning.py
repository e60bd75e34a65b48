"""Finished chains leave the tree, so that live state is proportional to live tokens and not to history.

What must stay: the root of each scope, every live task and its direct parent, splits with live children, a
boundary split with its children until it is closed, and the instances of a loop until the loop ends.
"""

from __future__ import annotations

from SpiffWorkflow.bpmn.specs.control import EventSplit
from SpiffWorkflow.bpmn.specs.mixins.multiinstance_task import MultiInstanceTask
from SpiffWorkflow.bpmn.specs.mixins.subworkflow_task import SubWorkflowTask

from engine.spiff.specs import EventHost
from engine.spiff.task import DONE, DrivenTask

CLOSED = "boundary_closed"


class Pruner:
    """Removes what has become useless, from a completed task upwards; cost per completion is constant."""

    def completed(self, task: DrivenTask) -> None:
        if isinstance(task.task_spec, SubWorkflowTask):
            task.workflow.top_workflow.drop_scope(task)
        self.prune(task)

    def prune(self, task: DrivenTask) -> None:
        while task.up is not None:
            above = task.up
            if not task.down and task._state & DONE:
                if _pinned(task):
                    return
                task.workflow.forget(task)
                task = above
                continue
            if above.up is not None and above._state & DONE and len(above.down) == 1 and _replaceable(above):
                self._splice(task, above)
            return

    def _splice(self, task: DrivenTask, above: DrivenTask) -> None:
        """Put `task` in its finished parent's place, so that the chain stays two long."""
        grand = above.up
        assert grand is not None
        grand.down[grand.down.index(above)] = task
        task.up, task.order = grand, above.order
        scope, top = above.workflow, above.workflow.top_workflow
        scope.tasks.pop(above.id)
        top.gone.append(above)
        top.dirty[task.id] = task


class KeepEverything(Pruner):
    """For tests that look at finished tasks, as the library's own do."""

    def completed(self, task: DrivenTask) -> None: ...

    def prune(self, task: DrivenTask) -> None: ...


def _replaceable(task: DrivenTask) -> bool:
    above = task.up
    assert above is not None
    if isinstance(above.task_spec, EventHost) and not above.internal_data.get(CLOSED):
        return False  # what stands directly below an open host is its activity, or one of its events
    if isinstance(task.task_spec, EventHost):
        return bool(task.internal_data.get(CLOSED))
    return not _pinned(task) and not isinstance(task.task_spec, EventSplit)


def _pinned(task: DrivenTask) -> bool:
    above = task.up
    assert above is not None
    if isinstance(above.task_spec, EventSplit) and not isinstance(above.task_spec, EventHost):
        return not above.internal_data.get(CLOSED)
    return task.triggered and isinstance(above.task_spec, MultiInstanceTask) and not above._state & DONE
