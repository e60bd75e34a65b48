"""Timers on the advance's frozen time; plain ISO 8601 text, or an expression that gives it (BPMN 2.0, 10.5.5)."""

from __future__ import annotations

import heapq
from datetime import datetime

from SpiffWorkflow.bpmn.specs.event_definitions.timer import CycleTimerEventDefinition, TimerEventDefinition

from bpmn.expressions.program import Program
from bpmn.timers import Cycle, parse_cycle, parse_date, parse_duration
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
        now, data = my_task.workflow.top_workflow.now, my_task.internal_data
        if DUE not in data:
            cycle = parse_cycle(_text(self.expression, my_task))
            data.update(ticks_left=cycle.repetitions, started=now.isoformat(), ticks=0)
            arm(my_task, _tick(cycle, now, 0))
            return False
        if datetime.fromisoformat(data[DUE]) > now or data["ticks_left"] == 0:
            return False
        data["ticks"] += 1
        if data["ticks_left"] is not None:
            data["ticks_left"] -= 1
        if data["ticks_left"] == 0:
            data["event_fired"] = True
            arm(my_task, now)  # looked at once more: now it is over
        else:
            cycle = parse_cycle(_text(self.expression, my_task))
            arm(my_task, _tick(cycle, datetime.fromisoformat(data["started"]), data["ticks"]))
        return True


def arm(my_task: DrivenTask, moment: datetime) -> None:
    """Remember when the timer is due, on the task (saved with it) and in the instance's queue."""
    my_task.internal_data[DUE] = moment.isoformat()
    heapq.heappush(my_task.workflow.top_workflow.due, (moment, my_task.id))


def _text(expression: str | Program, my_task: DrivenTask) -> str:
    if isinstance(expression, str):
        return expression
    return str(expression.evaluate(my_task.data, now=my_task.workflow.top_workflow.now))


def _moment(text: str, now: datetime) -> datetime:
    return parse_duration(text).after(now) if text.strip().startswith("P") else parse_date(text)


def _tick(cycle: Cycle, started: datetime, ticks: int) -> datetime:
    """When tick number `ticks`, from 0, is due: after an interval, or at the stated start and then every interval."""
    moment = cycle.start or cycle.interval.after(started)
    for _ in range(ticks):
        moment = cycle.interval.after(moment)
    return moment
