"""Event sub-processes: their start events listen as long as the scope around them is open (BPMN 2.0, 13.5.4)."""

from __future__ import annotations

from engine.spiff.catching import DrivenCatchingEvent
from engine.spiff.scope import Scope
from engine.spiff.task import DONE, DrivenTask


class DrivenListener(DrivenCatchingEvent):
    """A token of a listener counts only once it has caught something."""

    interrupting: bool
    background = True

    def _on_ready_hook(self, my_task: DrivenTask) -> None:
        super()._on_ready_hook(my_task)
        scope: Scope = my_task.workflow
        scope.background.pop(my_task.id, None)
        token, hooks = my_task.token, scope.top_workflow.hooks
        tokens = tokens_of(scope, my_task)
        hooks.surface(my_task, tokens)
        if self.interrupting:
            if tokens:
                hooks.interrupt(my_task, tokens)
            clear(scope, my_task)
        else:
            hooks.split(my_task, [my_task])
            self.wait_again(my_task, token)


def tokens_of(scope: Scope, besides: DrivenTask) -> list[DrivenTask]:
    """The live tasks directly in a scope that stand for its tokens: activities with all that is in them count once."""
    return [
        task
        for task in scope.live.values()
        if task is not besides and not task.triggered and task.id not in scope.background
    ]


def clear(scope: Scope, survivor: DrivenTask) -> None:
    """Cancel all that is under way in a scope, but for one task."""
    for task in [*scope.live.values(), *scope.task_tree.down]:
        if task is not survivor and task.id in scope.tasks and not task._state & DONE:
            task.cancel()
    scope.arrivals.clear()
    scope.ends.clear()
    scope.background.clear()
    scope.interruptions += 1
