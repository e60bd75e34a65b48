"""Gateways that choose: what is said where none of their flows can be taken."""

from __future__ import annotations

from typing import Any

from SpiffWorkflow.exceptions import WorkflowException
from SpiffWorkflow.util.task import TaskState

from engine.spiff.driven import Driven
from engine.spiff.scripts import FlowCondition
from engine.spiff.task import DrivenTask


class NoFlowTaken(WorkflowException):
    """A gateway at which no condition holds, and which has no default flow (BPMN 2.0, 10.6.2)."""

    def __init__(self, gateway: Any) -> None:
        conditions = [each for each, _ in gateway.cond_task_specs if isinstance(each, FlowCondition)]
        self.element: str | None = gateway.bpmn_id
        self.flows = tuple(each.flow for each in conditions)
        told = f" ({', '.join(self.flows)})" if self.flows else ""
        message = f"{self.element}: no condition of its flows holds{told}, and it has no default flow"
        super().__init__(message, task_spec=gateway)

    def __str__(self) -> str:
        return str(self.args[0])


class DrivenExclusiveGateway(Driven):
    """Mixin for exclusive gateways."""

    def _run_hook(self, my_task: DrivenTask) -> bool:
        """The library's own, without looking for children that were predicted."""
        chosen: str | None = self.default_task_spec  # type: ignore[attr-defined]
        for condition, name in self.cond_task_specs:  # type: ignore[attr-defined]
            if condition is not None and condition._matches(my_task):
                chosen = name
                break
        if chosen is None:
            raise NoFlowTaken(self)
        spec = my_task.workflow.spec.task_specs[chosen]
        if my_task.down:
            my_task._sync_children([spec], TaskState.FUTURE)
        else:
            DrivenTask(my_task.workflow, spec, my_task, TaskState.FUTURE)
        return True
