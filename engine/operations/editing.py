"""Changes variables of an instance by hand, inside an advance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from engine.errors import UnknownBranch
from engine.events import EventType
from engine.governed.contexts import Contexts
from engine.governed.hooks import GovernedHooks
from engine.governed.open_writes import working_writes
from engine.governed.writing import StepWriter
from engine.instance import Instance
from engine.operations.operation import NotPossible, Operation
from engine.spiff.conditions import look_again
from engine.spiff.task import DONE, DrivenTask
from engine.status import Status
from engine.steps import Steps
from governance.vocabulary import Producer

_ABSENT: Final[Mapping[str, bool]] = {"absent": True}


class Edit:
    """Sets variables in the context of one branch; what people are being asked about it is looked at anew."""

    def __init__(self, instance: Instance, hooks: GovernedHooks, contexts: Contexts, steps: Steps) -> None:
        self._instance, self._hooks, self._contexts, self._steps = instance, hooks, contexts, steps

    def concerns(self, wanted: Operation) -> Sequence[str | None]:
        return [task.element_id for task in self._tasks(wanted)]

    def _tasks(self, wanted: Operation) -> list[DrivenTask]:
        """Those that stand on the branch. Raises UnknownBranch, also where several branches are meant."""
        tasks = self._contexts.on_branch(wanted.branch)
        branches = sorted({task.token.branch for task in tasks})
        if len(branches) > 1:
            raise UnknownBranch(self._instance.id, wanted.branch, branches)
        return tasks

    def preview(self, wanted: Operation) -> Mapping[str, Any]:
        tasks = self._tasks(wanted)
        if self._instance.status is Status.SUSPENDED and any(task.activity and task.activity.holds for task in tasks):
            raise NotPossible(self._instance.id, "edit", "somebody is being asked about this context; unsuspend first")
        return {"variables": changes(tasks, wanted)}

    def do(self, wanted: Operation, who: Mapping[str, str]) -> None:
        tasks = self._tasks(wanted)
        changed = changes(tasks, wanted)
        self.write(tasks, wanted)
        self._hooks.stand_for_instance(tasks[0])
        self._instance.log.add(EventType.VARIABLES_EDITED, tasks[0].element_id, tasks[0].token.branch, **who,
                               variables=sorted(changed))  # fmt: skip
        for task in tasks:
            if self._instance.status is not Status.SUSPENDED and not task._state & DONE:
                self._steps.ask_anew(task)
                look_again(task)

    def write(self, tasks: Iterable[DrivenTask], wanted: Operation) -> None:
        """Put the values into the contexts of these tasks."""
        for task in tasks:
            token = task.token
            step = StepWriter(self._instance.graph, token)
            for name, value in wanted.values.items():
                step.write(name, value, producer=Producer.HUMAN)
            for name in wanted.deleted:
                step.delete(name, producer=Producer.HUMAN)
            task.token = step.commit("edit", task.element_id or "", self._instance.at)
            task.data = self._hooks.view(task.token)
            task.written |= {*wanted.values, *wanted.deleted}
            self._hooks.open_writes.add(token.branch, working_writes(self._instance.graph.get(task.token.head)))
            self._instance.touch(task)


def changes(tasks: Sequence[DrivenTask], wanted: Operation) -> dict[str, Any]:
    """By variable what it is and what it is to be; {"absent": true} where it is not, or not any more."""
    now: Mapping[str, Any] = tasks[0].data
    found: dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {
        name: (_value(now, name), {"value": value}) for name, value in wanted.values.items()
    }
    found.update((name, (_value(now, name), _ABSENT)) for name in wanted.deleted)
    return {name: {"before": dict(before), "after": dict(after)} for name, (before, after) in found.items()}


def _value(variables: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return {"value": variables[name]} if name in variables else _ABSENT
