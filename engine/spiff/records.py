"""What has finished and can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from SpiffWorkflow.bpmn.specs.mixins.subworkflow_task import CallActivity, SubWorkflowTask

from engine.spiff.task import DrivenTask

UNDO = "undo"
"""Of a sub-process that is being undone: the records of what it held, oldest first."""


class Record(NamedTuple):
    """Something that has finished and can be undone.

    `handler` is the spec of the activity that undoes it; without one, `opener` is the spec of the sub-process to open
    anew, and `inner` the records of what it held, oldest first. `wrapper` is the multi-instance task it was an instance
    of, 0 if none; `place` what the hooks need to find the instance's own items again.
    """

    element: str
    handler: str | None
    opener: str | None
    inner: list[Any]
    wrapper: int
    place: Any

    @classmethod
    def load(cls, row: Sequence[Any]) -> Record:
        return cls(*row)


def remember(my_task: DrivenTask) -> None:
    """Note that an activity has finished, if it can be undone."""
    spec, above = my_task.task_spec, my_task.up
    instance = my_task.triggered and above is not None
    if instance and above.task_spec.undoes:  # type: ignore[union-attr]
        return
    inner = _inner(my_task)
    if spec.handler is None and inner is None:
        return
    top = my_task.workflow.top_workflow
    row = Record(
        my_task.element_id or spec.name,
        spec.handler,
        None if inner is None else spec.name,
        inner or [],
        above.id if instance and above is not None else 0,
        top.hooks.place_of(my_task),
    )
    top.counter += 1
    my_task.workflow.records[top.counter] = row
    top.records_changed[top.counter] = (my_task.workflow, row)


def _inner(my_task: DrivenTask) -> list[Any] | None:
    """The records of what a finished sub-process held; None where it cannot be undone from inside."""
    spec = my_task.task_spec
    if spec.handler is not None or not isinstance(spec, SubWorkflowTask) or isinstance(spec, CallActivity):
        return None
    scope = my_task.workflow.top_workflow.subprocesses.get(my_task.id)
    if scope is None or not (scope.records or scope.spec.undone_by):
        return None
    return [list(row) for row in scope.records.values()]
