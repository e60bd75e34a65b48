"""Compensation: what was done is undone by the handlers of what has finished, in reverse order, each once.

A finished activity that can be undone leaves a record in its scope. A sub-process without a handler of its own leaves
one with the records of what it held: it is undone from inside, in a scope opened anew, by its compensation event
sub-process if it has one (BPMN 2.0, 10.7 and 13.5.5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from SpiffWorkflow.util.task import TaskState

from engine.spiff.driven import Driven
from engine.spiff.records import UNDO, Record
from engine.spiff.task import DrivenTask
from engine.spiff.triggers import Trigger

if TYPE_CHECKING:
    from engine.spiff.scope import Scope

LEFT, THROWER = "todo", "thrower"


class CompensationTrigger(Trigger):
    """Throws compensation: of one activity, or of all that has finished in the scope."""

    kind = "compensation"

    def __init__(self, name: str, activity: str | None) -> None:
        super().__init__(name)
        self.activity = activity

    def throw(self, my_task: DrivenTask) -> bool | None:
        return compensate(undoable_around(my_task), my_task, self.activity)


def undoable_around(my_task: DrivenTask) -> Scope:
    """The scope that compensation thrown at a task is about: for an event sub-process the one around it."""
    scope: Scope = my_task.workflow
    while scope.outer is not None and scope.outer.task_spec.is_handler:
        scope = scope.outer.workflow
    return scope


def compensate(scope: Scope, thrower: DrivenTask, activity: str | None) -> bool | None:
    """Undo what has finished in a scope. True: there was nothing to undo; None: the thrower waits for it."""
    numbers = [
        number
        for number, row in scope.records.items()
        if activity in (None, row.element) and row.wrapper not in scope.live
    ]
    if not numbers:
        return True
    rows = [list(scope.forget_record(number)) for number in sorted(numbers, reverse=True)]
    _begin(scope, rows, thrower)
    return None


def _begin(scope: Scope, rows: list[Any], thrower: DrivenTask) -> None:
    runner = DrivenTask(scope, scope.spec.task_specs[f"{scope.spec.name}.Compensation"], scope.task_tree)
    runner.triggered = runner.entered = True
    runner.internal_data = {LEFT: rows, THROWER: thrower.id}
    runner.token, runner.data = thrower.token, thrower.data
    runner._set_state(TaskState.STARTED)
    runner.task_spec.go_on(runner)


def undo_inside(my_task: DrivenTask, scope: Scope) -> None:
    """Undo a sub-process from inside: its scope was just opened, and nothing in it runs but that."""
    event_sub_process = scope.spec.undone_by
    rows = [Record.load(row) for row in my_task.internal_data[UNDO]]
    scope.task_tree._set_state(TaskState.COMPLETED)
    if event_sub_process is None:
        _begin(scope, [list(row) for row in reversed(rows)], scope.task_tree)
        return
    top = my_task.workflow.top_workflow
    for row in rows:
        top.counter += 1
        scope.records[top.counter] = row
        top.records_changed[top.counter] = (scope, row)
    _begin(scope, [list(Record("", event_sub_process, None, [], 0, None))], scope.task_tree)


class DrivenCompensation(Driven):
    """The hidden task that runs handlers one after the other, on the context of whoever threw the compensation."""

    splits = False
    leads = True
    undoes = True

    def go_on(self, my_task: DrivenTask) -> None:
        todo = my_task.internal_data[LEFT]
        my_task.workflow.top_workflow.dirty[my_task.id] = my_task
        if not todo:
            self._finish(my_task)
            return
        row = Record.load(todo.pop(0))
        spec = my_task.workflow.spec.task_specs[row.handler or row.opener]
        child = DrivenTask(my_task.workflow, spec, my_task, TaskState.FUTURE)
        child.triggered = True
        if row.handler is None:
            child.internal_data[UNDO] = row.inner
        my_task.workflow.top_workflow.hooks.begin_undo(my_task, child, row.place)
        child.task_spec._update(child)

    def instance_completed(self, my_task: DrivenTask, child: DrivenTask) -> None:
        my_task.workflow.top_workflow.hooks.end_undo(my_task, child)
        self.go_on(my_task)

    def _finish(self, my_task: DrivenTask) -> None:
        scope = my_task.workflow
        thrower = scope.top_workflow.find_task(my_task.internal_data[THROWER])
        if thrower is scope.task_tree:  # the scope was opened for this alone
            my_task._set_state(TaskState.COMPLETED)
            scope.last_task = my_task
            scope._mark_complete(my_task)
            scope._announce_completion()
            return
        thrower.token, thrower.data = my_task.token, my_task.data
        scope.top_workflow.dirty[thrower.id] = thrower
        my_task.complete()
        thrower.task_spec.compensated(thrower)
