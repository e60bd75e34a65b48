"""A token is taken from one element to another of its scope, as an operator says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from SpiffWorkflow.bpmn.specs.mixins.events.intermediate_event import BoundaryEvent
from SpiffWorkflow.util.task import TaskState

from engine.spiff.elements import RESERVED
from engine.spiff.joins import DrivenJoin
from engine.spiff.specs import EventHost
from engine.spiff.task import DrivenTask
from engine.spiff.workflow import DrivenWorkflow

_IN_FRONT: Final = ("StartQuantity", "EventHost")
"""Control nodes that a token comes to before an element, the outer one first."""


def standing_at(workflow: DrivenWorkflow, element: str) -> list[DrivenTask]:
    """The live tasks of an element that a token can be taken from: no instances, joins or boundary events."""
    return [
        task
        for scope in workflow.scopes()
        for task in scope.live.values()
        if task.element_id == element and not task.triggered and not _is_bound(task)
    ]


def relocate(task: DrivenTask, element: str) -> DrivenTask:
    """Take the token of `task` to an element of its scope; what was going on there is interrupted, and gone.

    The hooks are told as of an event that interrupts it.
    """
    top, scope = task.workflow.top_workflow, task.workflow
    here = task.up if task.up is not None and isinstance(task.up.task_spec, EventHost) else task
    moved = DrivenTask(scope, entry_of(scope.spec, element), here.up, TaskState.FUTURE)
    moved.token, moved.data, moved.entered = task.token, task.data, True
    top.hooks.interrupt(moved, [task])
    scope._remove_task(here.id)
    moved.task_spec._update(moved)
    return moved


def entry_of(spec: Any, element: str) -> Any:
    """The spec that a token comes to first on its way to an element."""
    own = f"{element}." if element in RESERVED else element
    names: Iterable[str] = (*(f"{element}.{each}" for each in _IN_FRONT), own)
    return next(spec.task_specs[name] for name in names if name in spec.task_specs)


def beneath(task: DrivenTask) -> Iterator[DrivenTask]:
    """A task, what waits beside it, and all that is inside them."""
    top = task.workflow.top_workflow
    host = task.up if task.up is not None and isinstance(task.up.task_spec, EventHost) else task
    pending = [host]
    while pending:
        each = pending.pop()
        yield each
        scope = top.subprocesses.get(each.id)
        pending += [*each.down, *([] if scope is None else scope.live.values())]


def _is_bound(task: DrivenTask) -> bool:
    """Whether it has no token that could go elsewhere alone: one that waits for others, or beside an activity."""
    spec = task.task_spec
    waits = isinstance(spec, DrivenJoin) and task._state == TaskState.WAITING
    return waits or spec.background or isinstance(spec, BoundaryEvent | EventHost)
