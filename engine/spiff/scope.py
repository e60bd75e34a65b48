"""What a process instance and each of its sub-processes have in common: an index of what can move.

The library looks for READY and WAITING tasks by walking the whole tree, twice for each completed task. Here a
state change puts a task into, or takes it out of, the index of its scope.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from SpiffWorkflow.util.task import TaskState

from engine.spiff.task import DONE, LIVE, DrivenTask

if TYPE_CHECKING:
    from engine.spiff.records import Record
    from engine.spiff.workflow import DrivenWorkflow


_READY = TaskState.READY


class Scope:
    """Mixin in front of the library's workflow classes.

    `live` holds WAITING, READY and STARTED tasks, `ready` the READY ones, `ends` the tokens waiting at the end of
    the scope, `restless` the waiting tasks that must be looked at after each completion, `arrivals` the queues of
    tokens at joins: join name -> name of the element before it -> tokens in order of arrival, `background` the live
    tasks that do not keep the scope open, as listeners do not. `interruptions` counts how often all was cancelled.
    `announced`: the element around it was told that it is over. `records` are what can be undone, oldest first.
    """

    outer: DrivenTask | None = None
    home: Scope
    """The process it belongs to: itself, or the scope around it whose variables it shares."""
    top_workflow: DrivenWorkflow
    tasks: dict[int, DrivenTask]
    task_tree: DrivenTask
    last_task: Any
    spec: Any
    completed: bool
    announced: bool

    def _open_index(self) -> None:
        self.live: dict[int, DrivenTask] = {}
        self.ready: dict[int, DrivenTask] = {}
        self.ends: dict[int, DrivenTask] = {}
        self.restless: dict[int, DrivenTask] = {}
        self.arrivals: dict[str, dict[str, list[DrivenTask]]] = {}
        self.background: dict[int, DrivenTask] = {}
        self.interruptions = 0
        self.announced = False
        self.records: dict[int, Record] = {}

    def plant(self, token: Any = None) -> None:
        """Begin at the scope's start; `token` is what the hooks keep with the first token."""
        self.task_tree = DrivenTask(self, self.spec.start, None, TaskState.FUTURE)
        self.task_tree.token = token
        self.task_tree._ready()

    def note_state(self, task: DrivenTask, old: int, new: int) -> None:
        """Called by the task for each change of state."""
        top = self.top_workflow
        number = task.id
        top.dirty[number] = task
        top.census.moved(task.task_spec, old, new)
        if old == _READY:
            del self.ready[number]
        if new & LIVE:
            self.live[number] = task
            if new == _READY:
                self.ready[number] = task
                if len(self.ready) == 1:
                    top.hot[id(self)] = self
            elif new == TaskState.WAITING:
                if task.task_spec.restless:
                    self.restless[number] = task
                if task.task_spec.background:
                    self.background[number] = task
        elif old & LIVE:
            del self.live[number]
            if self.background:
                self.background.pop(number, None)
            if new == TaskState.CANCELLED:
                if task.activity is not None:
                    top.hooks.dropped(task)
                if self.records and task.task_spec.leads:
                    for record in [each for each, row in self.records.items() if row.wrapper == number]:
                        self.forget_record(record)  # an activity that was cut off has not finished

    def all_at_end(self) -> bool:
        """Whether every token of the scope has come to its end."""
        return len(self.live) - len(self.background) == len(self.ends)

    def forget_record(self, number: int) -> Record:
        """Take out what is being undone."""
        top = self.top_workflow
        if top.records_changed.pop(number, None) is None:
            top.records_gone.append(number)
        return self.records.pop(number)

    def is_open(self) -> bool:
        """Whether the scope is still part of the instance."""
        top: Any = self.top_workflow
        return self.outer is None or top.subprocesses.get(self.outer.id) is self

    def is_completed(self) -> bool:
        if not self.completed and not self.live:
            self.completed = True
        return self.completed

    def update_waiting_tasks(self) -> None:
        """After a completion only the scope's end and restless tasks can have become able to move.

        Parallel joins change when a token arrives, inclusive ones when a round ends, events when they are caught.
        """
        for task in list(self.restless.values()) if self.restless else ():
            if task._state == TaskState.WAITING:
                task.task_spec._update(task)
            else:
                self.restless.pop(task.id, None)
        if self.ends and self.all_at_end():
            last = next(reversed(self.ends.values()))
            last.task_spec._update(last)

    def _mark_complete(self, task: DrivenTask) -> None:
        self.top_workflow.hooks.finish(self, task)
        self.completed = True

    def _task_completed_notify(self, task: DrivenTask) -> None:
        self.last_task = task
        if task.task_spec.name == "End":
            self._mark_complete(task)
        if self.completed:
            self._announce_completion()
        else:
            self.update_waiting_tasks()
        self.top_workflow.pruner.completed(task)

    def _announce_completion(self) -> None:
        self.completed_event(self)  # type: ignore[attr-defined]
        if self.outer is not None and not self.announced and not self.outer._state & DONE:
            self.announced = True  # what a terminate end event cancels completes after the scope's end, too
            self.outer.task_spec.scope_completed(self.outer, self)

    def _remove_task(self, task_id: int) -> None:
        task = self.tasks[task_id]
        for child in task.children:
            self._remove_task(child.id)
        self.forget(task)

    def forget(self, task: DrivenTask) -> None:
        """Take a task out of the instance, with the scope it opened."""
        if task.up is not None:
            task.up.down.remove(task)
        if task._state & LIVE:
            self.top_workflow.census.moved(task.task_spec, task._state, 0)
            if task.activity is not None:
                self.top_workflow.hooks.dropped(task)
        for index in (self.tasks, self.live, self.ready, self.ends, self.restless, self.background):
            index.pop(task.id, None)
        self.top_workflow.note_gone(task)
