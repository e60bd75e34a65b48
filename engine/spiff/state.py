"""Live state as small rows: one per open scope, one per live task and what it needs above it.

Row keys: `s<task id>` a scope, by the task that opened it; `t<task id>` a task; `m<number>` a message that nobody has
received yet; `c<number>` something that can be undone. The definition is not in them: it is
stored once, by its hash. The library's own serialiser saves the whole instance with its specs each time, and changes
data that happens to look like its own markers.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from SpiffWorkflow.bpmn.specs.mixins.events.event_types import CatchingEvent
from SpiffWorkflow.util.task import TaskState

from engine.spiff.build import Specs
from engine.spiff.hooks import TokenHooks
from engine.spiff.joins import VIA, DrivenEndJoin, DrivenJoin
from engine.spiff.messages import Message
from engine.spiff.records import Record
from engine.spiff.scope import Scope
from engine.spiff.task import DONE, DrivenTask
from engine.spiff.timers import due_moments
from engine.spiff.workflow import DrivenSubWorkflow, DrivenWorkflow

Row = list[Any]


class Codec:
    """How the hooks' own part of a task (`token`, `activity`) is saved."""

    def __init__(
        self,
        dump_token: Callable[[Any], Any],
        load_token: Callable[[Any], Any],
        dump_activity: Callable[[Any], Any],
        load_activity: Callable[[Any], Any],
    ) -> None:
        self.dump_token, self.load_token = dump_token, load_token
        self.dump_activity, self.load_activity = dump_activity, load_activity


def drain_rows(workflow: DrivenWorkflow, codec: Codec) -> tuple[dict[str, Row], list[str]]:
    """Rows that changed since the last call, and keys of rows saved before that are gone. Cost: the change."""
    rows: dict[str, Row] = {}
    saved, workflow.saved = workflow.saved, workflow.counter
    for scope in workflow.new_scopes:
        if workflow.subprocesses.get(scope.parent_task_id) is scope:
            rows[f"s{scope.parent_task_id}"] = [scope.spec.name]
    for task in workflow.dirty.values():
        if _belongs(workflow, task):
            rows[f"t{task.id}"] = _dump(task, codec)
    gone = [f"t{task.id}" for task in workflow.gone if task.id <= saved]
    gone += [f"s{opener}" for opener in workflow.closed_scopes if opener <= saved]
    rows.update((f"m{number}", message.dump()) for number, message in workflow.mailbox.changed.items())
    gone += [f"m{number}" for number in workflow.mailbox.gone]
    rows.update(
        (f"c{number}", [0 if scope.outer is None else scope.outer.id, *record])
        for number, (scope, record) in workflow.records_changed.items()
    )
    gone += [f"c{number}" for number in workflow.records_gone]
    workflow.records_changed.clear()
    workflow.records_gone.clear()
    workflow.mailbox.changed.clear()
    workflow.mailbox.gone.clear()
    workflow.dirty.clear()
    workflow.gone.clear()
    workflow.closed_scopes.clear()
    workflow.new_scopes.clear()
    return rows, [key for key in gone if key not in rows]


def _belongs(workflow: DrivenWorkflow, task: DrivenTask) -> bool:
    scope = task.workflow
    if scope is not workflow and workflow.subprocesses.get(scope.parent_task_id) is not scope:
        return False
    return scope.tasks.get(task.id) is task


def _dump(task: DrivenTask, codec: Codec) -> Row:
    scope = task.workflow
    return [
        0 if scope.outer is None else scope.outer.id,
        task.task_spec.name,
        task._state,
        None if task.up is None else task.up.id,
        task.order,
        int(task.triggered),
        task.internal_data,
        task.fan,
        int(task.entered),
        codec.dump_token(task.token),
        codec.dump_activity(task.activity),
    ]


def load_workflow(
    specs: Specs,
    rows: Mapping[str, Row],
    *,
    counter: int,
    hooks: TokenHooks,
    script_engine: Any,
    now: datetime,
    codec: Codec,
) -> DrivenWorkflow:
    """The workflow as it stood when `rows` were saved; `hooks` see nothing of it."""
    workflow = DrivenWorkflow(specs.main, specs.nested, script_engine, hooks=hooks, now=now, plant=False)
    workflow.counter = workflow.saved = counter
    refill(workflow, rows, codec)
    return workflow


def refill(workflow: DrivenWorkflow, rows: Mapping[str, Row], codec: Codec) -> None:
    """Put what was saved as `rows` into a workflow in which nothing has begun."""
    _Loader(workflow, rows, codec).load()
    workflow.dirty.clear()
    workflow.event_manager.changed.clear()


class _Loader:
    def __init__(self, workflow: DrivenWorkflow, rows: Mapping[str, Row], codec: Codec) -> None:
        self.workflow, self.codec = workflow, codec
        self.scopes = {int(key[1:]): row[0] for key, row in rows.items() if key[0] == "s"}
        self.by_scope: dict[int, list[tuple[int, Row]]] = {}
        for key, row in rows.items():
            if key[0] == "t":
                self.by_scope.setdefault(row[0], []).append((int(key[1:]), row))
        self.records: dict[int, dict[int, Record]] = {}
        for number, row in sorted((int(key[1:]), row) for key, row in rows.items() if key[0] == "c"):
            self.records.setdefault(row[0], {})[number] = Record.load(row[1:])
        kept = sorted((int(key[1:]), row) for key, row in rows.items() if key[0] == "m")
        workflow.mailbox.kept = {number: Message.load(row) for number, row in kept}

    def load(self) -> None:
        todo: list[tuple[int, Scope]] = [(0, self.workflow)]
        while todo:
            scope_id, scope = todo.pop()
            scope.records = self.records.get(scope_id, {})
            for task in self._fill(scope, sorted(self.by_scope.get(scope_id, []))):
                if task.id in self.scopes:
                    spec = self.workflow.subprocess_specs[self.scopes[task.id]]
                    inner = DrivenSubWorkflow(spec, task, self.workflow, plant=False)
                    self.workflow.subprocesses[task.id] = inner
                    todo.append((task.id, inner))

    def _fill(self, scope: Scope, rows: Iterable[tuple[int, Row]]) -> list[DrivenTask]:
        parents: dict[int, int | None] = {}
        tasks: dict[int, DrivenTask] = {}
        for task_id, row in rows:
            tasks[task_id] = self._task(scope, task_id, row)
            parents[task_id] = row[3]
        for task in sorted(tasks.values(), key=lambda task: (task.order, task.id)):
            above = parents[task.id]
            if above is None:
                scope.task_tree = task
            else:
                task.up = tasks[above]
                task.up.down.append(task)
        for task in tasks.values():
            self._index(scope, task)
        return list(tasks.values())

    def _task(self, scope: Scope, task_id: int, row: Row) -> DrivenTask:
        _, name, state, _, order, triggered, internal, fan, entered, token, activity = row
        task = DrivenTask(scope, scope.spec.task_specs[name], None, state, id=task_id)
        task.order, task.triggered, task.internal_data = order, bool(triggered), internal
        task.fan, task.entered = fan, bool(entered)
        task.token, task.activity = self.codec.load_token(token), self.codec.load_activity(activity)
        return task

    def _index(self, scope: Scope, task: DrivenTask) -> None:
        spec, workflow = task.task_spec, self.workflow
        if task._state == TaskState.READY:
            scope.ready[task.id] = task
            workflow.hot[id(scope)] = scope
        if task._state & DONE or task._state != TaskState.WAITING:
            return
        if spec.restless:
            scope.restless[task.id] = task
        if spec.background:
            scope.background[task.id] = task
        if isinstance(spec, CatchingEvent):
            workflow.event_manager.add_task(task)
            for moment in due_moments(task.internal_data):
                heapq.heappush(workflow.due, (moment, task.id))
        if isinstance(spec, DrivenJoin):
            scope.arrivals.setdefault(spec.name, {}).setdefault(task.internal_data[VIA], []).append(task)
            if isinstance(spec, DrivenEndJoin):
                scope.ends[task.id] = task
