"""The library's serialiser over our driver: the same keys as its own, restored from our rows.

What the driver saves of an instance in a run (`engine.spiff.state`) is what it is restored from here, so that a program
that saves and restores between two steps tries just that.
"""

from __future__ import annotations

from typing import Any

from SpiffWorkflow.bpmn.serializer.default.workflow import BpmnWorkflowConverter, TaskConverter
from SpiffWorkflow.bpmn.serializer.helpers.dictionary import DictionaryConverter

from benchmarks.library.stand_in import SAVED, SEEN, StandIn, stock_class
from benchmarks.library.stock_saved import numbered
from engine.spiff.scope import Scope
from engine.spiff.state import Codec, drain_rows, refill
from engine.spiff.task import DrivenTask
from engine.spiff.workflow import DrivenSubWorkflow

_PLAIN = Codec(lambda token: None, lambda token: None, lambda activity: None, lambda activity: None)


class StockNames(dict[Any, str]):
    """Names of types in a serialiser, where a spec of ours goes by the library's class behind it."""

    def get(self, cls: Any, default: Any = None) -> Any:
        return super().get(stock_class(cls), default)


def know_ours(registry: DictionaryConverter) -> None:
    """Have a registry of the library's write and restore what our driver runs."""
    registry.typenames = StockNames(registry.typenames)


class StandInConverter(BpmnWorkflowConverter):  # type: ignore[misc]
    """An instance, with its specs, its scopes and all its tasks."""

    def to_dict(self, workflow: StandIn) -> dict[str, Any]:
        SEEN.add(SAVED)
        rows, _ = drain_rows(_all_new(workflow), _PLAIN)
        tasks = TaskConverter(DrivenTask, self.registry)
        return {
            **self._scope(workflow, tasks),
            "spec": self.registry.convert(workflow.spec),
            "subprocess_specs": self.mapping_to_dict(workflow.subprocess_specs),
            "subprocesses": {str(key): self._inner(scope, tasks) for key, scope in workflow.subprocesses.items()},
            "bpmn_events": self.registry.convert(workflow.bpmn_events),
            "rows": self.registry.convert(rows),
            "counter": workflow.counter,
        }

    def _inner(self, scope: DrivenSubWorkflow, tasks: TaskConverter) -> dict[str, Any]:
        found = {**self._scope(scope, tasks), "parent_task_id": str(scope.parent_task_id), "spec": scope.spec.name}
        return {**found, "typename": "BpmnSubWorkflow"}

    def _scope(self, scope: Any, tasks: TaskConverter) -> dict[str, Any]:
        written = {str(key): {**tasks.to_dict(task), "typename": "Task"} for key, task in scope.tasks.items()}
        return {
            "data": self.registry.convert(self.registry.clean(scope.data)),
            "correlations": scope.correlations,
            "last_task": None if scope.last_task is None else str(scope.last_task.id),
            "success": scope.success,
            "completed": scope.completed,
            "tasks": written,
            "root": str(scope.task_tree.id),
        }

    def from_dict(self, dct: dict[str, Any]) -> StandIn:
        dct = numbered(dct)
        spec = self.registry.restore(dct["spec"])
        nested = self.mapping_from_dict(dct.get("subprocess_specs", {}))
        workflow = StandIn(spec, nested, deserializing=True)
        refill(workflow, self.registry.restore(dct["rows"]), _PLAIN)
        workflow.counter = dct["counter"]
        workflow.bpmn_events = self.registry.restore(dct.get("bpmn_events", []))
        self._fill(workflow, dct)
        for scope in sorted(workflow.subprocesses.values(), key=lambda each: each.depth):
            self._fill(scope, dct["subprocesses"][str(scope.parent_task_id)])
        return workflow

    def _fill(self, scope: Any, dct: dict[str, Any]) -> None:
        scope.data = self.registry.restore(dct["data"])
        scope.success, scope.completed = dct["success"], dct.get("completed", False)
        scope.correlations = dct.get("correlations", {})
        scope.last_task = None if dct["last_task"] is None else scope.tasks.get(int(dct["last_task"]))
        for task in _downwards(scope):
            self._data(task, dct["tasks"][str(task.id)])

    def _data(self, task: DrivenTask, dct: dict[str, Any]) -> None:
        task.last_state_change = dct["last_state_change"]
        if task.parent is None or not dct.get("delta"):
            task.data = self.registry.restore(dct["data"])
            return
        lost = dct["delta"]["deletions"]
        task.data = {name: value for name, value in task.parent.data.items() if name not in lost}
        task.data.update(self.registry.restore(dct["delta"]["updates"]))


def _all_new(workflow: StandIn) -> StandIn:
    """As if all of it had changed."""
    workflow.new_scopes[:] = list(workflow.subprocesses.values())
    workflow.dirty = {task.id: task for scope in workflow.scopes() for task in scope.tasks.values()}
    return workflow


def _downwards(scope: Scope) -> list[DrivenTask]:
    """Tasks of a scope, each after the one above it."""
    found, todo = [], [scope.task_tree]
    while todo:
        task = todo.pop()
        found.append(task)
        todo += task.down
    return found
