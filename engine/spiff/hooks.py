"""Where a host is told what happens to tokens, and what the library does when nobody is.

The hooks are called by the driver's mixins, each exactly once for what it names: also for instances of a
multi-instance activity, rounds of a loop, sub-processes and called processes. The library's own signals fire
unevenly over its classes, are lost at a restart, and stop at the first listener that returns a value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Protocol

from SpiffWorkflow.bpmn.exceptions import WorkflowDataException

if TYPE_CHECKING:
    from engine.spiff.scope import Scope
    from engine.spiff.task import DrivenTask

Run = Callable[["DrivenTask"], "bool | None"]


class TokenHooks(Protocol):
    """What a host does around tokens."""

    runs_manual: bool
    """Whether the driver hands manual activities (user, manual, none tasks) to `activity` like all others."""

    def enter(self, task: DrivenTask) -> None:
        """A token reaches an element: its data follows it from `task.up`."""

    def activity(self, task: DrivenTask, run: Run) -> bool | None:
        """An activity is to be done: True done, None goes on later through `complete`, False failed."""

    def gateway(self, task: DrivenTask, taken: Sequence[str]) -> None:
        """A gateway with several ways out took the ones that lead to the elements `taken`."""

    def split(self, task: DrivenTask, children: Sequence[DrivenTask]) -> None:
        """One token became several."""

    def arrive(self, task: DrivenTask) -> None:
        """A token waits at a join."""

    def join(self, task: DrivenTask, arrivals: Sequence[DrivenTask]) -> bool:
        """Several tokens become one, `task`; False: held until somebody settles what is open."""

    def surface(self, event: DrivenTask, tokens: Sequence[DrivenTask]) -> None:
        """The start event of an event sub-process has caught something while these tasks are live in its scope."""

    def interrupt(self, event: DrivenTask, interrupted: Sequence[DrivenTask]) -> None:
        """An interrupting event is about to cancel these tasks."""

    def swallow(self, task: DrivenTask, late: Sequence[DrivenTask]) -> None:
        """These tokens came to a complex gateway after it had gone on: they end there."""

    def open_scope(self, task: DrivenTask, root: DrivenTask) -> None:
        """A sub-process or called process begins at `root`."""

    def close_scope(self, task: DrivenTask, scope: Scope) -> None:
        """The scope that `task` opened has completed."""

    def finish(self, scope: Scope, last: DrivenTask) -> None:
        """A scope, or the process itself, ends with this token."""

    def open_instances(self, task: DrivenTask, keys: Sequence[Any], parallel: bool) -> None:
        """A multi-instance activity or a loop begins; `keys` are the keys or indices of its instances."""

    def keep_items(self, task: DrivenTask, items: Sequence[Any]) -> Any:
        """Keep what sequential instances will run over; what to save with the task in its place."""

    def kept_items(self, task: DrivenTask, kept: Any) -> Sequence[Any]:
        """The items kept as `kept`."""

    def enter_instance(self, task: DrivenTask, child: DrivenTask, key: Any, item: Any) -> None:
        """One instance begins, with its item."""

    def count_round(self, task: DrivenTask, child: DrivenTask, number: int) -> None:
        """A variable of the round or instance `child` says which one it is; it goes on from the data of `task`."""

    def leave_instance(self, task: DrivenTask, child: DrivenTask) -> None:
        """One instance has completed."""

    def close_instances(self, task: DrivenTask, children: Sequence[DrivenTask]) -> bool:
        """All instances are done: bring them together; False: held as in `join`."""

    def place_of(self, task: DrivenTask) -> Any:
        """What to keep, as JSON, so that what undoes an activity finds the items of its instance again."""

    def begin_undo(self, task: DrivenTask, child: DrivenTask, place: Any) -> None:
        """An activity begins to undo another one; `place` is what was kept of that."""

    def end_undo(self, task: DrivenTask, child: DrivenTask) -> None:
        """An activity has undone another one: the next goes on from there."""

    def take_back(self, event: DrivenTask, last: DrivenTask) -> None:
        """A transaction was cancelled and taken back: its cancel event goes on from the last token in it."""

    def dropped(self, task: DrivenTask) -> None:
        """An activity under way was cancelled."""

    def received(self, task: DrivenTask, payload: Mapping[str, Any]) -> None:
        """An event that was caught brought data along."""

    def failed(self, task: DrivenTask, error: Exception) -> bool | None:
        """Running or reaching an element raised; what to return for it, or raise."""


class PlainHooks:
    """The library's own data handling: dictionaries copied along, no governance."""

    runs_manual = False

    def enter(self, task: DrivenTask) -> None:
        above = task.up
        if above is not None:
            task.data = {**task.data, **above.data} if task.data else dict(above.data)

    def activity(self, task: DrivenTask, run: Run) -> bool | None:
        return run(task)

    def gateway(self, task: DrivenTask, taken: Sequence[str]) -> None: ...

    def split(self, task: DrivenTask, children: Sequence[DrivenTask]) -> None: ...

    def arrive(self, task: DrivenTask) -> None: ...

    def join(self, task: DrivenTask, arrivals: Sequence[DrivenTask]) -> bool:
        for other in arrivals:
            if other is not task:
                task.data = {**other.data, **task.data}
        return True

    def surface(self, event: DrivenTask, tokens: Sequence[DrivenTask]) -> None: ...

    def interrupt(self, event: DrivenTask, interrupted: Sequence[DrivenTask]) -> None: ...

    def swallow(self, task: DrivenTask, late: Sequence[DrivenTask]) -> None: ...

    def open_scope(self, task: DrivenTask, root: DrivenTask) -> None:
        task.task_spec.copy_data(task, root.workflow)

    def close_scope(self, task: DrivenTask, scope: Scope) -> None:
        task.task_spec.update_data(task, scope)

    def finish(self, scope: Scope, last: DrivenTask) -> None:
        scope.data.update(last.data)  # type: ignore[attr-defined]

    def open_instances(self, task: DrivenTask, keys: Sequence[Any], parallel: bool) -> None:
        """Where the output goes must be able to take it: that is said before an instance begins."""
        spec = task.task_spec
        if getattr(spec, "data_output", None) is None:
            return
        given = None if spec.data_input is None else spec.data_input.get(task)
        present = spec.data_output.get(task) if spec.data_output.exists(task) else None
        if present is None:
            spec.data_output.set(task, {} if isinstance(given, Mapping) else [])
        elif not isinstance(present, MutableSequence | MutableMapping):
            spec.raise_data_exception("the output of a multi-instance activity is a list or an object", task)
        elif isinstance(present, MutableSequence) and present and present is not given:
            spec.raise_data_exception("the output of a multi-instance activity has items before it begins", task)

    def keep_items(self, task: DrivenTask, items: Sequence[Any]) -> Any:
        return deepcopy(items)

    def kept_items(self, task: DrivenTask, kept: Any) -> Sequence[Any]:
        items: Sequence[Any] = kept
        return items

    def enter_instance(self, task: DrivenTask, child: DrivenTask, key: Any, item: Any) -> None:
        spec = task.task_spec
        for name in (spec.input_item, spec.output_item):
            if name is not None and name.exists(task):
                raise WorkflowDataException(f"multi-instance item {name.bpmn_id} already exists", task)
        if spec.input_item is not None:
            spec.input_item.set(child, deepcopy(item))

    def count_round(self, task: DrivenTask, child: DrivenTask, number: int) -> None: ...

    def leave_instance(self, task: DrivenTask, child: DrivenTask) -> None:
        spec = task.task_spec
        if getattr(spec, "data_output", None) is None or spec.output_item is None:
            task.data = {**task.data, **child.data}
        elif not spec.output_item.exists(child):
            spec.raise_data_exception("expected an output item", child)

    def close_instances(self, task: DrivenTask, children: Sequence[DrivenTask]) -> bool:
        spec = task.task_spec
        if spec.data_output is None or spec.output_item is None:
            return True
        results = [(child.internal_data["key_or_index"], spec.output_item.get(child)) for child in children]
        present = spec.data_output.get(task) if spec.data_output.exists(task) else None
        if isinstance(present, dict):
            spec.data_output.set(task, {**(present or {}), **dict(results)})
        else:
            spec.data_output.set(task, [item for _, item in results])
        return True

    def place_of(self, task: DrivenTask) -> Any:
        return None

    def begin_undo(self, task: DrivenTask, child: DrivenTask, place: Any) -> None: ...

    def end_undo(self, task: DrivenTask, child: DrivenTask) -> None:
        task.data = {**task.data, **child.data}

    def take_back(self, event: DrivenTask, last: DrivenTask) -> None:
        event.data = dict(last.data)

    def dropped(self, task: DrivenTask) -> None: ...

    def received(self, task: DrivenTask, payload: Mapping[str, Any]) -> None:
        task.set_data(**payload)

    def failed(self, task: DrivenTask, error: Exception) -> bool | None:
        task.error()
        raise error
