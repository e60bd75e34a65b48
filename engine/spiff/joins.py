"""Joins over queues of arrivals.

A token that reaches a join waits in a queue named by the element it came from; an activation takes one token from
each queue it needs. So there are no ancestor tests, no stale arrivals in loops, and surplus tokens stay for the
next activation (BPMN 2.0, 13.3.2 and 13.3.3). WAITING = not yet consumed, CANCELLED = consumed by an activation.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from SpiffWorkflow.util.task import TaskState

from engine.spiff.choices import NoFlowTaken
from engine.spiff.driven import Driven
from engine.spiff.scope import Scope
from engine.spiff.task import DrivenTask

VIA = "via"


class DrivenJoin(Driven):
    """What the joins share: queueing, and firing with the tokens taken."""

    name: str

    def _update_hook(self, my_task: DrivenTask) -> bool:
        queues = my_task.workflow.arrivals.setdefault(self.name, {})
        if my_task._state != TaskState.WAITING:
            self._arrive(my_task, queues)
        taken = self.take(my_task, queues)
        if taken:
            self.fire(taken)
        return False

    def _arrive(self, my_task: DrivenTask, queues: dict[str, list[DrivenTask]]) -> None:
        assert my_task.up is not None
        via = my_task.internal_data[VIA] = my_task.up.task_spec.name
        my_task._inherit_data()
        my_task._set_state(TaskState.WAITING)
        queues.setdefault(via, []).append(my_task)
        if len(self._inputs) > 1:  # type: ignore[attr-defined]
            my_task.workflow.top_workflow.hooks.arrive(my_task)

    @abstractmethod
    def take(self, my_task: DrivenTask, queues: dict[str, list[DrivenTask]]) -> list[DrivenTask]:
        """The tokens that an activation consumes now; empty: not yet."""

    def fire(self, taken: list[DrivenTask]) -> None:
        task = taken[-1]
        top = task.workflow.top_workflow
        held = len(taken) > 1 and not top.hooks.join(task, taken)
        for other in taken:
            if other is not task:
                other._set_state(TaskState.CANCELLED)
                top.pruner.prune(other)
        if held:
            task._set_state(TaskState.STARTED)
        else:
            task._ready()

    def _run_hook(self, my_task: DrivenTask) -> bool:
        return True


class DrivenParallelJoin(DrivenJoin):
    """Parallel gateway. `needed`: the inputs an activation takes a token from; `own_inputs`: fed only by this
    gateway itself, as when a loop goes straight back into it, and enough alone."""

    needed: list[str]
    own_inputs: list[str]

    def take(self, my_task: DrivenTask, queues: dict[str, list[DrivenTask]]) -> list[DrivenTask]:
        looped = next((name for name in self.own_inputs if queues.get(name)), None)
        needed = self.needed if looped is None else [looped]
        if len(queues) < len(needed) or any(name not in queues for name in needed):
            return []
        taken = [queues[name].pop(0) for name in needed]
        for name in needed:
            if not queues[name]:
                del queues[name]
        # The last to arrive goes on, as in the library.
        taken.sort(key=lambda task: task.id)
        return taken


class DrivenEndJoin(DrivenJoin):
    """End of a scope: waits for every token of the scope."""

    splits = False

    def _arrive(self, my_task: DrivenTask, queues: dict[str, list[DrivenTask]]) -> None:
        super()._arrive(my_task, queues)
        my_task.workflow.ends[my_task.id] = my_task

    def take(self, my_task: DrivenTask, queues: dict[str, list[DrivenTask]]) -> list[DrivenTask]:
        scope = my_task.workflow
        if not scope.all_at_end():
            return []
        for waiting in list(scope.background.values()):
            waiting.cancel()
        taken = sorted((task for queue in queues.values() for task in queue), key=lambda task: task.id)
        queues.clear()
        scope.ends.clear()
        return taken


class DrivenInclusiveJoin(DrivenJoin):
    """Inclusive gateway: waits for every token that can still reach an input without one.

    `reach` tells for each element of the scope which inputs of this gateway can be reached from it, as a bit mask.
    """

    reach: dict[str, int]
    gateway = True

    def take(self, my_task: DrivenTask, queues: dict[str, list[DrivenTask]]) -> list[DrivenTask]:
        if len(self._inputs) > 1:  # type: ignore[attr-defined]
            return []  # decided when the round ends
        queues.clear()
        return [my_task]

    def decide(self, scope: Scope) -> int:
        """Fire if no live token can still reach an empty input, unless it can also reach a filled one."""
        queues = {name: queue for name, queue in scope.arrivals.get(self.name, {}).items() if queue}
        if not queues:
            return 0
        filled = sum(1 << self._inputs.index(name) for name in queues)  # type: ignore[attr-defined]
        for task in scope.live.values():
            if task.task_spec is self and task._state == TaskState.WAITING:
                continue
            reachable = self.reach.get(task.task_spec.name, 0)
            if reachable & ~filled and not reachable & filled:
                return 0
        self.fire(sorted((queue.pop(0) for queue in queues.values()), key=lambda task: task.id))
        return 1

    def _run_hook(self, my_task: DrivenTask) -> bool:
        matches, defaults = self._get_matching_outputs(my_task)  # type: ignore[attr-defined]
        if not matches and not defaults:
            raise NoFlowTaken(self)
        for spec in matches or defaults:
            DrivenTask(my_task.workflow, spec, my_task, TaskState.FUTURE)
        return True


def reachability(scope_spec: Any, join: Any) -> dict[str, int]:
    """For each element from which an input of `join` can be reached without passing it: the inputs, as bits."""
    reach: dict[str, int] = {}
    for bit, start in enumerate(join._inputs):
        seen, todo = set(), [start]
        while todo:
            name = todo.pop()
            if name in seen or name == join.name:
                continue
            seen.add(name)
            reach[name] = reach.get(name, 0) | 1 << bit
            todo += scope_spec.task_specs[name]._inputs
    return reach
