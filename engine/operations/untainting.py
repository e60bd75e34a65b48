"""Takes for clean what came from outside, because a person has looked at it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.events import EventType
from engine.governed.contexts import Contexts
from engine.instance import Instance
from engine.operations.operation import NotPossible, Operation
from engine.spiff.task import DrivenTask


class Untaint:
    """Lifts the taint of variables. What an agent derives from them from then on is clean; what it derived is not."""

    def __init__(self, instance: Instance, contexts: Contexts) -> None:
        self._instance, self._contexts = instance, contexts

    def concerns(self, wanted: Operation) -> Sequence[str | None]:
        return [task.element_id for task in self._tasks(wanted)]

    def preview(self, wanted: Operation) -> Mapping[str, Any]:
        """The values, to be looked at. Raises NotPossible without a reason, and for what is not tainted."""
        variables: Mapping[str, Any] = self._tasks(wanted)[0].data
        if not wanted.reason.strip():
            raise NotPossible(self._instance.id, wanted.action, "say why: it needs a reason")
        for name in wanted.names:
            if name not in variables:
                raise NotPossible(self._instance.id, wanted.action, f"there is no variable {name}")
            if not self._instance.taint.of(variables[name]):
                raise NotPossible(self._instance.id, wanted.action, f"{name} is not tainted")
        return {"variables": {name: variables[name] for name in wanted.names}}

    def do(self, wanted: Operation, who: Mapping[str, str]) -> None:
        task = self._tasks(wanted)[0]
        for name in wanted.names:
            self._instance.taint.lift(task.data[name])
        self._instance.log.add(
            EventType.TAINT_LIFTED, task.element_id, task.token.branch, **who, variables=sorted(wanted.names)
        )

    def _tasks(self, wanted: Operation) -> list[DrivenTask]:
        return self._contexts.on_branch(wanted.branch)
