"""Sub-processes and called processes: their scope opens and closes by calls, not by signals."""

from __future__ import annotations

from typing import Any, Final

from SpiffWorkflow.bpmn.exceptions import WorkflowTaskException
from SpiffWorkflow.bpmn.specs.bpmn_task_spec import BpmnTaskSpec
from SpiffWorkflow.util.task import TaskState

from engine.errors import EngineError
from engine.spiff.compensation import undo_inside
from engine.spiff.driven import NOT_REACHED, Driven
from engine.spiff.records import UNDO
from engine.spiff.scope import Scope
from engine.spiff.task import DrivenTask

DEEPEST: Final = 100
"""Scopes inside each other. A process that calls itself without an end would otherwise never come to one."""


class NestedTooDeep(EngineError):
    """A process that calls itself, directly or by others, too often."""

    def __init__(self, element: str | None) -> None:
        self.element = element
        super().__init__(f"{element}: more than {DEEPEST} processes and sub-processes are open inside each other")


class DrivenSubProcess(Driven):
    """Mixin for embedded sub-processes, transactions and call activities."""

    spec: str

    def _update_hook(self, my_task: DrivenTask) -> bool | None:
        scope = my_task.workflow.top_workflow.subprocesses.get(my_task.id)
        if scope is not None:
            return bool(scope.completed)
        BpmnTaskSpec._update_hook(self, my_task)
        my_task._set_state(TaskState.STARTED)
        self.start_workflow(my_task)
        return False

    def start_workflow(self, my_task: DrivenTask) -> None:
        top = my_task.workflow.top_workflow
        if self.spec not in top.subprocess_specs:
            raise WorkflowTaskException(self.get_missing_subworkflow_error(my_task), task=my_task)  # type: ignore[attr-defined]
        if my_task.workflow.depth >= DEEPEST:
            raise NestedTooDeep(my_task.element_id)
        scope = top.create_subprocess(my_task, self.spec)
        try:
            top.hooks.open_scope(my_task, scope.task_tree)
        except Exception:
            top.drop_scope(my_task)
            raise
        if UNDO in my_task.internal_data:
            undo_inside(my_task, scope)
        else:
            scope.task_tree.run()

    def scope_completed(self, my_task: DrivenTask, scope: Scope) -> None:
        """What fails here fails the activity; another try begins its scope anew."""
        top = my_task.workflow.top_workflow
        try:
            top.hooks.close_scope(my_task, scope)
        except Exception as error:
            top.drop_scope(my_task)
            my_task.internal_data[NOT_REACHED] = True
            top.hooks.failed(my_task, error)
        else:
            my_task._set_state(TaskState.READY)

    def _run_hook(self, my_task: DrivenTask) -> Any:
        return True
