"""Timers on the advance's frozen time; plain ISO 8601 text, or an expression that gives it (BPMN 2.0, 10.5.5)."""

from __future__ import annotations

import heapq
from abc import abstractmethod
from datetime import datetime, timedelta
from typing import Any

from SpiffWorkflow.bpmn.specs.mixins.events.intermediate_event import BoundaryEvent

from bpmn.cron import Cron
from bpmn.expressions.errors import ExpressionError
from bpmn.expressions.program import Program
from bpmn.timers import Cycle, Duration, parse_date, parse_duration, parse_repetition
from engine.spiff.specs import Listener
from engine.spiff.task import DrivenTask
from engine.spiff.triggers import Trigger

DUE = "due"
"""On a waiting task: by name of a timer, when it is due."""
CYCLE = "cycle"
"""On a waiting task: by name of a timer, how many ticks are left (None: no end), when it began, how many there were."""


class Timer(Trigger):
    """Fires once its time has come."""

    kind = "timer"

    def __init__(self, name: str, text: str | Program) -> None:
        super().__init__(name)
        self.text = text

    def arm(self, my_task: DrivenTask) -> None:
        """Find out when it is due; in a simulation what cannot be computed is at once, or beside something never."""
        try:
            self._set(my_task)
        except (ExpressionError, ValueError, OverflowError) as error:
            beside = isinstance(my_task.task_spec, BoundaryEvent | Listener)
            if not my_task.workflow.script_engine.passes_over_time(my_task, error, beside=beside):
                raise
            self._stand_in(my_task, beside=beside)

    @abstractmethod
    def _set(self, my_task: DrivenTask) -> None:
        """Raises ExpressionError, ValueError, OverflowError where no time can be computed."""

    def _stand_in(self, my_task: DrivenTask, *, beside: bool) -> None:
        if not beside:
            set_due(my_task, self.name, my_task.workflow.top_workflow.now)

    def has_fired(self, my_task: DrivenTask) -> bool:
        due = my_task.internal_data.get(DUE, {}).get(self.name)
        return due is not None and datetime.fromisoformat(due) <= my_task.workflow.top_workflow.now

    def reset(self, my_task: DrivenTask) -> None:
        my_task.internal_data.pop(DUE, None)
        my_task.internal_data.pop(CYCLE, None)
        super().reset(my_task)


class DueTimer(Timer):
    """A duration or a date: fires once, when its time has come."""

    lasting = False

    def _set(self, my_task: DrivenTask) -> None:
        if self.name not in my_task.internal_data.get(DUE, {}):
            set_due(my_task, self.name, _moment(_text(self.text, my_task), my_task.workflow.top_workflow.now))


class CycleTimer(Timer):
    """A repeating timer. An event that goes on waiting fires at each tick, any other one at the first."""

    def __init__(self, name: str, text: str | Program, *, quartz: bool = False) -> None:
        super().__init__(name, text)
        self.quartz = quartz

    def _stand_in(self, my_task: DrivenTask, *, beside: bool) -> None:
        now = my_task.workflow.top_workflow.now
        my_task.internal_data.setdefault(CYCLE, {})[self.name] = [0 if beside else 1, now.isoformat(), 0]
        super()._stand_in(my_task, beside=beside)

    def _set(self, my_task: DrivenTask) -> None:
        if self.name in my_task.internal_data.get(DUE, {}):
            return
        cycle = parse_repetition(_text(self.text, my_task), quartz=self.quartz)
        now = my_task.workflow.top_workflow.now
        if isinstance(cycle, Cron):
            my_task.internal_data.setdefault(CYCLE, {})[self.name] = [None, now.isoformat(), 0]
            moment = cycle.after(now)
            if moment is not None:
                set_due(my_task, self.name, moment)
            return
        state = my_task.internal_data.setdefault(CYCLE, {}).setdefault(
            self.name, [cycle.repetitions, now.isoformat(), _missed(cycle, now)]
        )
        left, started, ticks = state
        moment = _tick(cycle, datetime.fromisoformat(started), ticks)
        if left != 0 and (cycle.end is None or moment <= cycle.end):
            set_due(my_task, self.name, moment)

    def carry(self, my_task: DrivenTask, again: DrivenTask) -> bool:
        left, started, ticks = my_task.internal_data[CYCLE][self.name]
        if self.has_fired(my_task):
            left, ticks = None if left is None else left - 1, ticks + 1
        again.internal_data.setdefault(CYCLE, {})[self.name] = [left, started, ticks]
        return bool(left != 0)


def set_due(my_task: DrivenTask, name: str, moment: datetime) -> None:
    """Remember when the timer is due, on the task (saved with it) and in the instance's queue."""
    my_task.internal_data.setdefault(DUE, {})[name] = moment.isoformat()
    heapq.heappush(my_task.workflow.top_workflow.due, (moment, my_task.id))


def due_moments(internal_data: dict[str, Any]) -> list[datetime]:
    """When the timers of a waiting task are due."""
    return [datetime.fromisoformat(due) for due in internal_data.get(DUE, {}).values()]


def _text(text: str | Program, my_task: DrivenTask) -> str:
    return text if isinstance(text, str) else str(text.evaluate(my_task.data, outside=my_task.outside))


def _moment(text: str, now: datetime) -> datetime:
    return parse_duration(text).after(now) if text.strip().startswith("P") else parse_date(text)


def _missed(cycle: Cycle, now: datetime) -> int:
    """How many ticks of an endless repetition were over before it was waited for: they are not made up for."""
    if cycle.start is None or cycle.repetitions is not None or cycle.start >= now:
        return 0
    months, rest = cycle.interval.months, cycle.interval.rest
    if months:
        passed = (now.year - cycle.start.year) * 12 + now.month - cycle.start.month
        missed = max(passed // months - 1, 0)
    else:
        missed = (now - cycle.start) // rest if rest else 0
    while rest + timedelta(days=months) and _tick(cycle, now, missed) < now:
        missed += 1
    return missed


def _tick(cycle: Cycle, started: datetime, ticks: int) -> datetime:
    """When tick number `ticks`, from 0, is due: after an interval, or at the stated start and then every interval."""
    count = ticks if cycle.start else ticks + 1
    passed = Duration(cycle.interval.months * count, cycle.interval.rest * count)
    return passed.after(cycle.start or started)
