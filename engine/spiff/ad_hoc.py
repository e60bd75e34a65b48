"""Ad-hoc sub-processes: what nothing leads to is done, all at once or one after the other (BPMN 2.0, 10.3.5, 13.3.6).

Each of these activities is done once. The completion condition is looked at whenever a path has come to its end, with
the variables as that left them.
"""

from __future__ import annotations

from typing import Any

from SpiffWorkflow.util.task import TaskState

from bpmn.expressions.program import Program
from engine.errors import EngineError
from engine.spiff.joins import DrivenEndJoin
from engine.spiff.task import DONE, DrivenTask

BEGUN = "begun"
"""On the root of a sequential one: how many of its activities have begun."""


class NotComplete(EngineError):
    """All is done, and the completion condition does not hold."""

    def __init__(self, element: str, condition: str) -> None:
        self.element, self.condition = element, condition
        super().__init__(f"{element}: all in it is done, and its completion condition {condition} is not true")


class DrivenAdHocEnd(DrivenEndJoin):
    """The end of an ad-hoc sub-process. `turns` are the specs to begin with, if they take turns."""

    condition: Program | None
    cancels: bool
    turns: list[str]
    element: str

    def _arrive(self, my_task: DrivenTask, queues: dict[str, list[DrivenTask]]) -> None:
        super()._arrive(my_task, queues)
        scope = my_task.workflow
        if self.cancels and self.condition is not None and self._holds(my_task):
            rest = [task for task in scope.live.values() if task.id not in scope.ends]
            if any(task.id not in scope.background for task in rest):
                scope.top_workflow.hooks.interrupt(my_task, [task for task in rest if not task.triggered])
            for task in rest:
                if task.id in scope.tasks and not task._state & DONE:
                    task.cancel()

    def _holds(self, my_task: DrivenTask) -> bool:
        condition = self.condition
        return condition is None or bool(my_task.workflow.script_engine.holds(my_task, condition))

    def _next(self, my_task: DrivenTask) -> str | None:
        """Whose turn it is."""
        begun: int = my_task.workflow.task_tree.internal_data.get(BEGUN, 1)
        if begun >= len(self.turns) or (self.condition is not None and self._holds(my_task)):
            return None
        return self.turns[begun]

    def _run_hook(self, my_task: DrivenTask) -> bool:
        simulated = my_task.workflow.script_engine.simulated
        if self._next(my_task) is None and not simulated and not self._holds(my_task):
            assert self.condition is not None
            raise NotComplete(self.element, self.condition.site.text)
        return True

    def _make_children(self, my_task: DrivenTask) -> None:
        following, scope = self._next(my_task), my_task.workflow
        spec: Any = self.outputs[0]  # type: ignore[attr-defined]
        if following is not None:
            root = scope.task_tree
            root.internal_data[BEGUN] = root.internal_data.get(BEGUN, 1) + 1
            scope.top_workflow.dirty[root.id] = root
            spec = scope.spec.task_specs[following]
        DrivenTask(scope, spec, my_task, TaskState.FUTURE)
