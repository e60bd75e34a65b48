"""Timers on the advance's frozen time; plain ISO 8601 text, or an expression that gives it (BPMN 2.0, 10.5.5)."""

from __future__ import annotations

import heapq
from datetime import datetime, timedelta
from typing import Any

from SpiffWorkflow.bpmn.specs.event_definitions.timer import CycleTimerEventDefinition, TimerEventDefinition

from bpmn.expressions.program import Program
from engine.spiff.task import DrivenTask

DUE = "due"


class DueTimer(TimerEventDefinition):
    """A duration or a date: fires once, when its time has come."""

    def __init__(self, name: str, text: str | Program) -> None:
        super().__init__(name, text)

    def has_fired(self, my_task: DrivenTask) -> bool:
        due = my_task.internal_data.get(DUE)
        if due is None:
            moment = _moment(_text(self.expression, my_task), my_task.workflow.top_workflow.now)
            arm(my_task, moment)
        else:
            moment = datetime.fromisoformat(due)
        return moment <= my_task.workflow.top_workflow.now

    def reset(self, my_task: DrivenTask) -> None:
        my_task.internal_data.pop(DUE, None)
        super().reset(my_task)


class CycleTimer(CycleTimerEventDefinition):
    """A repeating timer: each tick sends a token on; after the last one the event is over."""

    def __init__(self, name: str, text: str | Program) -> None:
        super().__init__(name, text)

    def cycle_complete(self, my_task: DrivenTask) -> bool:
        top, data = my_task.workflow.top_workflow, my_task.internal_data
        if DUE not in data:
            left, start, every = _recurrence(_text(self.expression, my_task), top.now)
            data.update(ticks_left=left, every=every.total_seconds())
            arm(my_task, start)
            return False
        moment = datetime.fromisoformat(data[DUE])
        if moment > top.now or data["ticks_left"] == 0:
            return False
        data["ticks_left"] -= 1
        if data["ticks_left"] == 0:
            data["event_fired"] = True
            arm(my_task, moment)  # looked at once more: now it is over
        else:
            arm(my_task, moment + timedelta(seconds=data["every"]))
        return True


def arm(my_task: DrivenTask, moment: datetime) -> None:
    """Remember when the timer is due, on the task (saved with it) and in the instance's queue."""
    my_task.internal_data[DUE] = moment.isoformat()
    heapq.heappush(my_task.workflow.top_workflow.due, (moment, my_task.id))


def _text(expression: str | Program, my_task: DrivenTask) -> str:
    return expression if isinstance(expression, str) else str(expression.evaluate(my_task.data))


def _moment(text: str, now: datetime) -> datetime:
    value: Any = TimerEventDefinition.parse_time_or_duration(text)
    if isinstance(value, datetime):
        return value
    moment: datetime = now + TimerEventDefinition.get_timedelta_from_start(value, now)
    return moment


def _recurrence(text: str, now: datetime) -> tuple[int, datetime, timedelta]:
    """Ticks (-1: no end), the first one, and the interval of `Rn/start/interval` in its ISO 8601 forms."""
    parts = text.upper().replace("--", "/").removeprefix("R").split("/")
    ticks = int(parts[0]) if parts[0] else -1
    parse = TimerEventDefinition.parse_time_or_duration
    first = parse(parts[1])
    second = parse(parts[2]) if len(parts) > 2 else None
    if isinstance(first, datetime):
        return ticks, first, TimerEventDefinition.get_timedelta_from_start(second, first)
    if isinstance(second, datetime):
        every = TimerEventDefinition.get_timedelta_from_end(first, second)
        return ticks, second - every, every
    every = TimerEventDefinition.get_timedelta_from_start(first, now)
    return ticks, now + every, every
