"""What a multi-instance activity throws as its instances finish (BPMN 2.0, 10.3.8 and 13.3.7).

`None` throws with each instance, `One` with the first, `Complex` as its conditions say; a boundary event of the
activity catches it. The activity goes on beside it, for its behavior says how many instances there are: only a
`Complex` event that is caught by an interrupting boundary event cancels the instances that are left, and completes the
activity.
"""

from __future__ import annotations

from typing import NamedTuple

from SpiffWorkflow.util.task import TaskState

from bpmn.expressions.program import Program
from engine.spiff.catching import BESIDE
from engine.spiff.events import beside
from engine.spiff.task import DrivenTask
from engine.spiff.triggers import Named, Outwards, Trigger


class Thrown(NamedTuple):
    """An event that instances throw, and on what condition (None: always)."""

    condition: Program | None
    trigger: Trigger


def throw_after(my_task: DrivenTask, child: DrivenTask, counts: dict[str, int]) -> bool:
    """Throw what is due now that an instance is done. Returns whether the activity is to end."""
    spec = my_task.task_spec
    if spec.behavior == "One" and counts["numberOfCompletedInstances"] > 1:
        return False
    ends = False
    for thrown in spec.thrown:
        engine = my_task.workflow.script_engine
        if thrown.condition is None or engine.holds(child, thrown.condition, counts):
            ends = _offer(my_task, thrown.trigger) or ends
    return ends and spec.behavior == "Complex"


def _offer(my_task: DrivenTask, trigger: Trigger) -> bool:
    """Give an event to the boundary event that waits for it. Returns whether that one interrupts."""
    for event in beside(my_task):
        if event._state != TaskState.WAITING:
            continue
        awaited = event.task_spec.event_definition.open_triggers(event)
        waits = next((each for each in awaited if _same(event, each, my_task, trigger)), None)
        if waits is not None:
            event.internal_data[BESIDE] = True
            event.task_spec.event_definition.accept(event, waits, (trigger.kind, ""), {})
            event.task_spec._update(event)
            return bool(event.task_spec.cancel_activity)
    trigger.throw(my_task)
    return False


def _same(event: DrivenTask, waits: Trigger, my_task: DrivenTask, thrown: Trigger) -> bool:
    if isinstance(waits, Named) and isinstance(thrown, Named):
        return (waits.kind, waits.label_of(event)) == (thrown.kind, thrown.label_at(my_task))
    if isinstance(waits, Outwards) and isinstance(thrown, Outwards):
        return waits.kind == thrown.kind and waits.rank(thrown.code_at(my_task), thrown.label) > 0
    return False
