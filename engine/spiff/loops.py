"""Loops and multi-instance activities: counted completion, ordered collection, no signals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from SpiffWorkflow.util.task import TaskState

from bpmn.expressions.program import Program
from engine.errors import EngineError
from engine.spiff.behaviors import Thrown, throw_after
from engine.spiff.driven import UNDECIDED, Driven
from engine.spiff.task import DONE, DrivenTask

FINISHED = "finished"
ITEMS = "items"
"""Where a sequential multi-instance activity keeps the items that were there when it began."""


COUNTER = "loopCounter"
"""The variable that says which round or instance it is (BPMN 2.0, tables 10.30 and 10.31)."""


class WrongCardinality(EngineError):
    """A number of instances that is none."""

    def __init__(self, element: str | None, found: object) -> None:
        self.element, self.found = element, found
        super().__init__(f"{element}: loopCardinality gives {found!r}; allowed are whole numbers from 0")


class NoCollection(EngineError):
    """What an activity should have an instance for each item of is missing, or has no items: a text has none."""

    def __init__(self, element: str | None, named: str | None, found: str) -> None:
        self.element, self.named, self.found = element, named, found
        what = f"its collection {named}" if named else "its collection"
        super().__init__(f"{element}: {what} is {found}; allowed: a list, an object")


class DrivenLoop(Driven):
    """Standard loop: one instance after the other, each going on from the last one's data."""

    splits = True
    leads = True
    parallel = False
    counted = False
    counts_from = 0

    def merge_child(self, workflow: Any, child: DrivenTask) -> None:
        """The library's signal handler; `instance_completed` is called in its place."""

    def _update_hook(self, my_task: DrivenTask) -> bool | None:
        my_task._inherit_data()
        my_task.workflow.top_workflow.hooks.open_instances(my_task, range(1), parallel=False)
        ready: bool | None = super()._update_hook(my_task)
        return ready

    def create_child(self, my_task: DrivenTask) -> None:
        child = self._instance(my_task)
        done = child.internal_data["iteration"] = my_task.internal_data.get(FINISHED, 0)
        if self.counted:
            my_task.workflow.top_workflow.hooks.count_round(my_task, child, done)
        child.task_spec._update(child)

    def _instance(self, my_task: DrivenTask) -> DrivenTask:
        spec = my_task.workflow.spec.task_specs[self.task_spec]  # type: ignore[attr-defined]
        child = my_task._add_child(spec, TaskState.FUTURE)
        child.triggered = True
        return child

    def instance_completed(self, my_task: DrivenTask, child: DrivenTask) -> None:
        my_task.internal_data[FINISHED] = my_task.internal_data.get(FINISHED, 0) + 1
        my_task.workflow.top_workflow.dirty[my_task.id] = my_task
        my_task.workflow.top_workflow.hooks.leave_instance(my_task, child)
        self.go_on(my_task, child)

    def go_on(self, my_task: DrivenTask, child: DrivenTask) -> None:
        """After an instance: the next one, or the end. What fails here fails the loop, not the instance."""
        try:
            self._go_on(my_task, child)
        except Exception as error:
            my_task.internal_data[UNDECIDED] = child.id
            my_task.workflow.top_workflow.hooks.failed(my_task, error)

    def _go_on(self, my_task: DrivenTask, child: DrivenTask) -> None:
        if self.loop_complete(my_task):
            my_task._set_state(TaskState.READY)
        else:
            self.create_child(my_task)

    def loop_complete(self, my_task: DrivenTask) -> bool:
        done = my_task.internal_data.get(FINISHED, 0)
        if self.maximum is not None and done >= self.maximum:  # type: ignore[attr-defined]
            return True
        condition = self.condition  # type: ignore[attr-defined]
        return condition is not None and not _holds(my_task, condition, {COUNTER: done})

    def _on_complete_hook(self, my_task: DrivenTask) -> None:
        super()._on_complete_hook(my_task)
        top = my_task.workflow.top_workflow
        for child in my_task.children:
            if child.triggered and child._state & DONE:
                top.pruner.prune(child)


class DrivenMultiInstance(DrivenLoop):
    """Multi-instance activity. The output collection is filled once, at the end, in the order of the items."""

    data_input: Any
    data_output: Any
    input_item: Any
    output_item: Any
    condition: Any
    behavior = "All"
    output: Any = None
    """In the place of an output item: the program whose value goes to the output collection."""
    thrown: Sequence[Thrown] = ()

    def _update_hook(self, my_task: DrivenTask) -> bool | None:
        my_task._inherit_data()
        data, hooks = my_task.internal_data, my_task.workflow.top_workflow.hooks
        keys, items = self._items(my_task)
        data[FINISHED], data["count"] = 0, len(items)
        hooks.open_instances(my_task, keys, parallel=self.parallel)
        if not items:
            return self._complete(my_task)
        my_task._set_state(TaskState.STARTED)
        if self.parallel:
            for key, item in zip(keys, items, strict=True):
                self._start(my_task, key, item)
        else:
            if self.data_input is not None:
                pairs = list(map(list, zip(keys, items, strict=True)))
                data[ITEMS] = hooks.keep_items(my_task, pairs)
            self._start(my_task, keys[0], items[0])
        return False

    def _items(self, my_task: DrivenTask) -> tuple[Sequence[Any], Sequence[Any]]:
        """Keys or indices of the instances, and their items; of an object in the order of its names."""
        if self.data_input is None:
            count: int = my_task.workflow.script_engine.evaluate(my_task, self.cardinality)  # type: ignore[attr-defined]
            if type(count) is not int or count < 0:
                raise WrongCardinality(my_task.element_id, count)
            return range(count), range(count)
        if not self.data_input.exists(my_task):
            raise NoCollection(my_task.element_id, self.data_input.bpmn_id, "missing")
        collection = self.data_input.get(my_task)
        if isinstance(collection, Mapping):
            names = sorted(collection)
            return names, [collection[name] for name in names]
        if isinstance(collection, str | bytes) or not isinstance(collection, Iterable):
            found = "nothing (None)" if collection is None else type(collection).__name__
            raise NoCollection(my_task.element_id, self.data_input.bpmn_id, found)
        items = collection if isinstance(collection, Sequence) else list(collection)
        return range(len(items)), items

    def _start_next(self, my_task: DrivenTask) -> None:
        """The next of sequential instances: over what was there at the beginning, whatever the last ones changed."""
        data, key = my_task.internal_data, my_task.internal_data[FINISHED]
        item = key
        if ITEMS in data:
            key, item = my_task.workflow.top_workflow.hooks.kept_items(my_task, data[ITEMS])[data[FINISHED]]
        self._start(my_task, key, item)

    def _start(self, my_task: DrivenTask, key: Any, item: Any) -> None:
        child = self._instance(my_task)
        child.internal_data["key_or_index"] = key
        hooks = my_task.workflow.top_workflow.hooks
        hooks.enter_instance(my_task, child, key, item)
        if self.counted and isinstance(key, int):
            hooks.count_round(child, child, key + self.counts_from)
        child.task_spec._update(child)

    def instance_completed(self, my_task: DrivenTask, child: DrivenTask) -> None:
        data, top = my_task.internal_data, my_task.workflow.top_workflow
        data[FINISHED] += 1
        top.dirty[my_task.id] = my_task
        top.hooks.leave_instance(my_task, child)
        self.go_on(my_task, child)

    def _counts(self, my_task: DrivenTask, child: DrivenTask) -> dict[str, int]:
        """What conditions may ask about the instances (BPMN 2.0, table 10.31; `nr...` as some designers spell it)."""
        count, done = my_task.internal_data["count"], my_task.internal_data[FINISHED]
        active = count - done if self.parallel else int(done < count)
        told = {"Instances": count, "CompletedInstances": done, "ActiveInstances": active, "TerminatedInstances": 0}
        named = {f"{prefix}{name}": value for name, value in told.items() for prefix in ("numberOf", "nrOf")}
        index = child.internal_data.get("key_or_index")
        return {**named, COUNTER: index + self.counts_from} if isinstance(index, int) else named

    def _go_on(self, my_task: DrivenTask, child: DrivenTask) -> None:
        data = my_task.internal_data
        stop = bool(self.thrown) and throw_after(my_task, child, self._counts(my_task, child))
        if self.condition is not None and not stop:
            stop = _holds(child, self.condition, self._counts(my_task, child))
        if stop:
            for other in my_task.children:
                if other is not child and not other._state & DONE:
                    other.cancel()
        if stop or data[FINISHED] == data["count"]:
            if self._complete(my_task):
                my_task._set_state(TaskState.READY)
        elif not self.parallel:
            self._start_next(my_task)

    def _complete(self, my_task: DrivenTask) -> bool:
        instances = [child for child in my_task.down if child.triggered and child._state == TaskState.COMPLETED]
        return my_task.workflow.top_workflow.hooks.close_instances(my_task, instances)


class DrivenParallelMultiInstance(DrivenMultiInstance):
    parallel = True


def round_of(task: DrivenTask) -> int | None:
    """How many rounds of its loop were over before this one, or sequential instances; None for any other task."""
    loop = task.up
    if not task.triggered or loop is None or not isinstance(loop.task_spec, DrivenLoop) or loop.task_spec.parallel:
        return None
    done: int = loop.internal_data.get(FINISHED, 0)
    return done


def _holds(my_task: DrivenTask, condition: Any, counts: Mapping[str, int]) -> bool:
    """Whether a condition is true; text is what the library's own parser leaves for its script engine."""
    engine = my_task.workflow.script_engine
    if isinstance(condition, Program):
        return bool(engine.holds(my_task, condition, counts))
    return bool(engine.evaluate(my_task, condition))
