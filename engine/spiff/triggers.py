"""What an event waits for or throws, as the builder makes it (BPMN 2.0, 10.5.5).

A trigger is static and shared by all instances; what happened at one task is in its `internal_data` as plain JSON, so
that it survives a restart. `topics` are what a waiting task is found by when something is thrown: see `Subscriptions`.
Errors, escalations, cancellation and compensation have none, because they are looked for outwards from where they
were thrown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from SpiffWorkflow.bpmn.specs.event_definitions.base import EventDefinition

from bpmn.expressions.errors import MissingKey, MissingVariable
from bpmn.expressions.program import Program
from engine.spiff.names import computed
from engine.spiff.task import DrivenTask

Topic = tuple[str, str]
FIRED, PAYLOAD, SEEN = "event_fired", "payload", "seen"
LABELS = "labels"
"""By name of a message or a signal whose own name is computed: what that came to."""
HOLDS = "holds"
"""By name of a condition: whether it was true when last looked at."""


class Trigger(EventDefinition):
    """Something that can happen. `name` is unique among the triggers of an element."""

    kind = ""
    lasting = True
    """Whether a non-interrupting event waits for the next one after it caught one."""

    def __init__(self, name: str) -> None:
        super().__init__(name)

    @property
    def topics(self) -> tuple[Topic, ...]:
        return ()

    def topics_of(self, my_task: DrivenTask) -> tuple[Topic, ...]:
        """The same of a task that waits: its names may have been computed."""
        return self.topics

    def answers(self, my_task: DrivenTask, topic: Topic) -> bool:
        """Whether something thrown under this topic is what the task waits for."""
        return topic in self.topics_of(my_task)

    def open_triggers(self, my_task: DrivenTask) -> list[Trigger]:
        """What of it has not happened yet."""
        return [self]

    def arm(self, my_task: DrivenTask) -> None:
        """The task begins to wait."""

    def has_fired(self, my_task: DrivenTask) -> bool:
        return bool(my_task.internal_data.get(FIRED))

    def take(self, my_task: DrivenTask, topic: Topic, payload: Mapping[str, Any]) -> None:
        """What the task waited for has happened."""
        my_task.internal_data[FIRED] = True
        if payload:
            my_task.internal_data[PAYLOAD] = dict(payload)

    def accept(self, my_task: DrivenTask, trigger: Trigger, topic: Topic, payload: Mapping[str, Any]) -> None:
        """One of its triggers, or itself, has what it waited for."""
        self.take(my_task, topic, payload)

    def carry(self, my_task: DrivenTask, again: DrivenTask) -> bool:
        """Whether the task that waits in the place of one that has fired has anything to wait for."""
        return self.lasting

    def update_task_data(self, my_task: DrivenTask) -> None:
        payload = my_task.internal_data.get(PAYLOAD)
        if payload or my_task.task_spec.maps:
            my_task.workflow.top_workflow.hooks.received(my_task, payload or {})

    def reset(self, my_task: DrivenTask) -> None:
        for name in (FIRED, PAYLOAD, SEEN):
            my_task.internal_data.pop(name, None)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__


class Named(Trigger):
    """A message or a signal. Its name may be `computed` by whoever throws it or waits for it, as that begins."""

    def __init__(self, name: str, label: str, computed: Program | None = None) -> None:
        super().__init__(name)
        self.label, self.computed = label, computed

    @property
    def topics(self) -> tuple[Topic, ...]:
        return ((self.kind, self.label),)

    def topics_of(self, my_task: DrivenTask) -> tuple[Topic, ...]:
        label = self.label_of(my_task)
        return tuple((kind, label) if kind == self.kind else (kind, name) for kind, name in self.topics)

    def label_of(self, my_task: DrivenTask) -> str:
        """The name that a task waits for."""
        named: str = my_task.internal_data.get(LABELS, {}).get(self.name, self.label)
        return named

    def label_at(self, my_task: DrivenTask) -> str:
        """The name that a task throws."""
        return self.label if self.computed is None else computed(my_task, self.computed, self.label)

    def arm(self, my_task: DrivenTask) -> None:
        if self.computed is not None and self.name not in my_task.internal_data.get(LABELS, {}):
            my_task.internal_data.setdefault(LABELS, {})[self.name] = self.label_at(my_task)

    def reset(self, my_task: DrivenTask) -> None:
        my_task.internal_data.pop(LABELS, None)
        super().reset(my_task)


class SignalTrigger(Named):
    """A signal, offered to everything that waits for it."""

    kind = "signal"


class Outwards(Trigger):
    """An error or an escalation: goes from where it is thrown to what is around. Without a reference it catches all.

    What is caught leaves its code and its message in the variables of these names, where there are any.
    """

    def __init__(self, name: str, label: str | None, code: str | None) -> None:
        super().__init__(name)
        self.label, self.code = label, code
        self.computed: Program | None = None
        """Gives the code, where it is thrown."""
        self.code_variable: str | None = None
        self.message_variable: str | None = None

    def code_at(self, my_task: DrivenTask) -> str | None:
        """The code that a task throws."""
        return self.code if self.computed is None else computed(my_task, self.computed, self.code or "")

    def told(self, code: str | None, message: str | None) -> dict[str, str | None]:
        """What is known of something caught, by the names of the variables that it is to be in."""
        named = ((self.code_variable, code), (self.message_variable, message))
        return {variable: value for variable, value in named if variable is not None}

    def answers(self, my_task: DrivenTask, topic: Topic) -> bool:
        return topic[0] == self.kind

    def rank(self, code: str | None, label: str | None) -> int:
        """How well it fits what was thrown: 2 exactly, 1 as it catches all, 0 not at all."""
        if self.code is not None:
            return 2 if self.code == code else 0
        if self.label is None:
            return 1
        if label is not None:
            return 2 if self.label == label else 0
        return 2 if self.label == code else 1


class ErrorTrigger(Outwards):
    kind = "error"


class EscalationTrigger(Outwards):
    kind = "escalation"


class CancelTrigger(Trigger):
    """A transaction is cancelled."""

    kind = "cancel"


class ConditionTrigger(Trigger):
    """A condition over variables; fires when it becomes true, or holds from the beginning."""

    kind = "conditional"

    def __init__(self, name: str, program: Program) -> None:
        super().__init__(name)
        self.program = program

    @property
    def topics(self) -> tuple[Topic, ...]:
        return tuple(("variable", name) for name in sorted(self.program.names))

    def arm(self, my_task: DrivenTask) -> None:
        if self.name not in my_task.internal_data.setdefault(HOLDS, {}):
            self.look(my_task, my_task.data)

    def look(self, my_task: DrivenTask, variables: Mapping[str, Any]) -> None:
        """Evaluate the condition over what somebody has just written."""
        holding = my_task.internal_data.setdefault(HOLDS, {})
        try:
            holds = self.program.holds(variables, outside=my_task.outside)
        except (MissingVariable, MissingKey):
            holds = False  # what is not there yet may come
        if holds and not holding.get(self.name, False):
            my_task.internal_data[FIRED] = True
        holding[self.name] = holds

    def carry(self, my_task: DrivenTask, again: DrivenTask) -> bool:
        again.internal_data[HOLDS] = dict(my_task.internal_data[HOLDS])
        return True


class MultipleTrigger(Trigger):
    """Several triggers: any of them, or all if `parallel`; an event-based gateway waits for any of its events."""

    kind = "multiple"

    def __init__(self, name: str, triggers: list[Trigger], *, parallel: bool = False) -> None:
        super().__init__(name)
        self.event_definitions, self.parallel = triggers, parallel

    @property
    def topics(self) -> tuple[Topic, ...]:
        return tuple(topic for each in self.event_definitions for topic in each.topics)

    def topics_of(self, my_task: DrivenTask) -> tuple[Topic, ...]:
        return tuple(topic for each in self.event_definitions for topic in each.topics_of(my_task))

    def open_triggers(self, my_task: DrivenTask) -> list[Trigger]:
        seen = my_task.internal_data.get(SEEN, {})
        return [each for index, each in enumerate(self.event_definitions) if str(index) not in seen]

    def arm(self, my_task: DrivenTask) -> None:
        my_task.internal_data.setdefault(SEEN, {})
        for index, each in enumerate(self.event_definitions):
            each.arm(my_task)
            self._collect(my_task, index)

    def carry(self, my_task: DrivenTask, again: DrivenTask) -> bool:
        left = [each.carry(my_task, again) for each in self.event_definitions]
        return all(left) if self.parallel else any(left)

    def has_fired(self, my_task: DrivenTask) -> bool:
        seen = my_task.internal_data.setdefault(SEEN, {})
        for index, each in enumerate(self.event_definitions):
            if str(index) not in seen and each.kind == "timer" and each.has_fired(my_task):
                seen[str(index)] = {}
        return len(seen) == len(self.event_definitions) if self.parallel else bool(seen)

    def take(self, my_task: DrivenTask, topic: Topic, payload: Mapping[str, Any]) -> None:
        seen = my_task.internal_data[SEEN]
        for index, each in enumerate(self.event_definitions):
            if each.answers(my_task, topic) and str(index) not in seen:
                seen[str(index)] = dict(payload)
                return

    def accept(self, my_task: DrivenTask, trigger: Trigger, topic: Topic, payload: Mapping[str, Any]) -> None:
        trigger.take(my_task, topic, payload)
        self._collect(my_task, next(n for n, each in enumerate(self.event_definitions) if each is trigger))

    def look(self, my_task: DrivenTask, variables: Mapping[str, Any]) -> None:
        for index, each in enumerate(self.event_definitions):
            if isinstance(each, ConditionTrigger):
                each.look(my_task, variables)
                self._collect(my_task, index)

    def _collect(self, my_task: DrivenTask, index: int) -> None:
        """What a trigger noted on the task is noted as its own."""
        if my_task.internal_data.pop(FIRED, False):
            my_task.internal_data[SEEN][str(index)] = my_task.internal_data.pop(PAYLOAD, {})

    def first(self, my_task: DrivenTask) -> int:
        """Which of the triggers fired; of several the first in the file."""
        return min(int(index) for index in my_task.internal_data[SEEN])

    def update_task_data(self, my_task: DrivenTask) -> None:
        merged: dict[str, Any] = {}
        for _, payload in sorted(my_task.internal_data.get(SEEN, {}).items(), key=lambda item: int(item[0])):
            merged.update(payload)
        if merged or my_task.task_spec.maps:
            my_task.workflow.top_workflow.hooks.received(my_task, merged)

    def throw(self, my_task: DrivenTask) -> bool | None:
        done = [each.throw(my_task) for each in self.event_definitions]
        return None if None in done else True
