"""Tasks that are not there yet, for programs that look at what the library predicts.

The library makes a task for everything that may follow; our driver makes one when a token comes. What asks for one by
name gets a stand-in for it, which is the real task as soon as there is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from SpiffWorkflow.bpmn.specs.event_definitions.timer import CycleTimerEventDefinition
from SpiffWorkflow.bpmn.specs.mixins.events.intermediate_event import EventBasedGateway
from SpiffWorkflow.specs.MultiChoice import MultiChoice
from SpiffWorkflow.util.task import TaskState

from engine.spiff.scope import Scope
from engine.spiff.task import LIVE, DrivenTask

AHEAD: Final = TaskState.PREDICTED_MASK | TaskState.FUTURE
_REAL: Final = "_real"


class Ahead:
    """The task of one element that a live task may lead to; it has no data of its own before it is there."""

    def __init__(self, above: DrivenTask, task_spec: Any, state: int) -> None:
        self.workflow, self.task_spec, self._above, self._state = above.workflow, task_spec, above, state
        self._known = set(above.workflow.tasks)
        self._found: DrivenTask | None = None
        self.id = f"{task_spec.name} after {above.id}"

    def _real(self) -> DrivenTask | None:
        """The first task of the element since this one was asked for."""
        if self._found is None or self._found.id not in self.workflow.tasks:
            came = (task for key, task in self.workflow.tasks.items() if key not in self._known)
            self._found = next((task for task in came if task.task_spec is self.task_spec), None)
        return self._found

    @property
    def state(self) -> int:
        real = self._real()
        return self._state if real is None else real.state

    def has_state(self, state: int) -> bool:
        return bool(self.state & state)

    def __getattr__(self, name: str) -> Any:
        real = object.__getattribute__(self, _REAL)()
        if real is not None:
            return getattr(real, name)
        told: dict[str, Any] = {"data": {}, "internal_data": {}, "children": [], "parent": self._above,
                                "last_state_change": 0.0, "triggered": False}  # fmt: skip
        if name in told:
            return told[name]
        raise AttributeError(name)


def ahead_of(scope: Scope, name: str) -> Iterator[Ahead]:
    """What may follow the live tasks of a scope: of the element of that name."""
    for task in list(scope.live.values()):
        state = _state_after(task.task_spec, name)
        if state is not None:
            yield Ahead(task, scope.spec.task_specs[name], state)
            return


def _state_after(task_spec: Any, name: str) -> int | None:
    """FUTURE if every way leads there, MAYBE if a choice may; None if no way does."""
    seen: set[str] = set()
    todo = [(each, _weaker(TaskState.FUTURE, task_spec)) for each in _followers(task_spec)]
    while todo:
        spec, state = todo.pop(0)
        if spec.name == name:
            return state
        if spec.name not in seen:
            seen.add(spec.name)
            todo += [(each, _weaker(state, spec)) for each in _followers(spec)]
    return None


def _followers(task_spec: Any) -> list[Any]:
    """What comes after an element. What a cycle leads to comes with each time, and is not predicted."""
    event = getattr(task_spec, "event_definition", None)
    return [] if isinstance(event, CycleTimerEventDefinition) else list(task_spec.outputs)


def _weaker(state: int, task_spec: Any) -> int:
    chooses = isinstance(task_spec, MultiChoice | EventBasedGateway) and len(task_spec.outputs) > 1
    return TaskState.MAYBE if chooses else state


def is_asked_ahead(state: int) -> bool:
    """Whether a question is about nothing but what is not there yet."""
    return not state & (LIVE | TaskState.FINISHED_MASK)
