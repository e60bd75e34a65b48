"""Complex gateway: its own condition says when it goes on; what comes later is waited for and swallowed.

An activation takes one token from each input that has one. Then the gateway waits for a token from each of the other
inputs, unless none can come any more; these end here, and the gateway can be activated anew (BPMN 2.0, 13.3.5).
"""

from __future__ import annotations

from typing import Any

from SpiffWorkflow.util.task import TaskState

from bpmn.expressions.program import Program
from engine.spiff.driven import Driven
from engine.spiff.joins import DrivenInclusiveJoin
from engine.spiff.scope import Scope
from engine.spiff.specs import ComplexReset
from engine.spiff.task import DrivenTask

GOT = "got"
"""On the task that waits for the reset: the inputs that the activation took a token from."""

Queues = dict[str, list[DrivenTask]]


class DrivenComplexReset(Driven):
    """The task that waits for the reset keeps no scope open."""

    background = True


class DrivenComplexGateway(DrivenInclusiveJoin):
    """`activation` is None where any gateway would wait for all its inputs."""

    activation: Program | None
    reset: ComplexReset

    def take(self, my_task: DrivenTask, queues: Queues) -> list[DrivenTask]:
        inputs: list[str] = self._inputs  # type: ignore[attr-defined]
        if len(inputs) == 1:
            queues.clear()
            return [my_task]
        if self._waiting(my_task.workflow) is not None or not self._activated(my_task, queues):
            return []
        taken = [queue.pop(0) for queue in queues.values() if queue]
        got = [name for name in inputs if name in queues]
        for name in [name for name, queue in queues.items() if not queue]:
            del queues[name]
        if len(got) < len(inputs):
            self._wait_for_rest(my_task.workflow, got)
        return sorted(taken, key=lambda task: task.id)

    def _activated(self, my_task: DrivenTask, queues: Queues) -> bool:
        tokens = sum(1 for queue in queues.values() if queue)
        if self.activation is None:
            return tokens == len(set(self._inputs))  # type: ignore[attr-defined]
        holds: bool = my_task.workflow.script_engine.holds(my_task, self.activation, {"activationCount": tokens})
        return holds

    def _wait_for_rest(self, scope: Scope, got: list[str]) -> None:
        reset = DrivenTask(scope, self.reset, scope.task_tree, TaskState.FUTURE)
        reset.triggered = reset.entered = True
        reset.internal_data[GOT] = got
        reset._set_state(TaskState.WAITING)

    def _waiting(self, scope: Scope) -> DrivenTask | None:
        return next((task for task in scope.background.values() if task.task_spec is self.reset), None)

    def decide(self, scope: Scope) -> int:
        """Reset, if no live token can still reach an input that has not delivered."""
        reset = self._waiting(scope)
        if reset is None:
            return 0
        inputs: list[str] = self._inputs  # type: ignore[attr-defined]
        queues = scope.arrivals.get(self.name, {})
        rest = [name for name in dict.fromkeys(inputs) if name not in reset.internal_data[GOT]]
        empty = sum(1 << inputs.index(name) for name in rest if not queues.get(name))
        for task in scope.live.values():
            waits_here = task.task_spec is self and task._state == TaskState.WAITING
            if not waits_here and task.id not in scope.background and self.reach.get(task.task_spec.name, 0) & empty:
                return 0
        self._swallow(scope, reset, [queues[name].pop(0) for name in rest if queues.get(name)])
        return 1

    def _swallow(self, scope: Scope, reset: DrivenTask, late: list[DrivenTask]) -> None:
        top = scope.top_workflow
        reset.cancel()
        top.pruner.prune(reset)
        if late:
            top.hooks.swallow(late[-1], late)
        for task in late:
            task._set_state(TaskState.CANCELLED)
            top.pruner.prune(task)
        queues = scope.arrivals.get(self.name, {})
        for name in [name for name, queue in queues.items() if not queue]:
            del queues[name]
        newest: Any = max((task for queue in queues.values() for task in queue), key=lambda t: t.id, default=None)
        if newest is not None:
            taken = self.take(newest, queues)
            if taken:
                self.fire(taken)
        scope.update_waiting_tasks()
