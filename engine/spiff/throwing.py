"""Events that throw: what they throw may have to be dealt with before their token goes on."""

from __future__ import annotations

from typing import Any

from SpiffWorkflow.specs.base import TaskSpec

from engine.spiff.driven import Driven
from engine.spiff.task import DrivenTask
from engine.spiff.transactions import ThrownCancel
from engine.spiff.triggers import Trigger


class DrivenThrowingEvent(Driven):
    """Mixin for throw and end events, and for send tasks with a message."""

    event_definition: Any

    def _run_hook(self, my_task: DrivenTask) -> bool | None:
        if not isinstance(self.event_definition, Trigger):
            done: bool | None = super()._run_hook(my_task)
            return done
        TaskSpec._run_hook(self, my_task)
        done = self.event_definition.throw(my_task)
        return done

    def compensated(self, my_task: DrivenTask) -> None:
        """What was thrown at has been undone: go on."""
        if isinstance(self.event_definition, ThrownCancel):
            self.event_definition.undone(my_task)
        else:
            my_task.complete()
