"""Messages: each goes to one receiver, now or once there is one (BPMN 2.0, 8.4.2 and 10.5.5).

Who receives is decided by the message flow that leaves the thrower, else by the message's name; of several the one
that has waited longest. A correlation key, where both sides have one, must be the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bpmn.expressions.errors import ExpressionError, MissingKey, MissingVariable
from bpmn.expressions.program import Program
from bpmn.timers import Duration, parse_duration
from engine.errors import EngineError
from engine.spiff.scripts import Overlay
from engine.spiff.task import DrivenTask
from engine.spiff.triggers import Named, Topic, Trigger
from governance.ports import timestamp

if TYPE_CHECKING:
    from engine.spiff.workflow import DrivenWorkflow

KEY = "key"
LIFETIME: Final = parse_duration("P7D")
"""How long a message that was thrown is kept for a receiver."""


class NotAwaited(EngineError):
    """A message that nothing in the instance waits for, and that was not to be kept."""

    def __init__(self, name: str, awaited: list[str], key: Any = None) -> None:
        self.name, self.awaited, self.key = name, awaited, key
        what = f"message {name}" if key is None else f"message {name} with the key {key!r}"
        super().__init__(f"{what}: nothing waits for it; awaited are {', '.join(awaited) or 'none'}")


class AlreadyReceived(NotAwaited):
    """A message that nothing waits for any more, for one of its name was received before: by what, when, from whom."""

    def __init__(self, refused: NotAwaited, element: str | None, at: str, by: str | None) -> None:
        super().__init__(refused.name, refused.awaited, refused.key)
        self.element, self.at, self.by = element, at, by
        sender = f" from {by}" if by else ""
        self.args = (f"message {self.name}: {element} received one at {at}{sender}; that stands",)


class Message(NamedTuple):
    """A message under way.

    `topics` are what its receiver may be found by; `key` is its correlation key, None if it has none; `until` when it
    is given up if nobody has received it by then (ISO 8601), None: never.
    """

    name: str
    topics: tuple[Topic, ...]
    payload: Mapping[str, Any]
    key: Any = None
    until: str | None = None

    def dump(self) -> list[Any]:
        return [self.name, [list(topic) for topic in self.topics], dict(self.payload), self.key, self.until]

    @classmethod
    def load(cls, row: list[Any]) -> Message:
        name, topics, payload, key, until = row
        return cls(name, tuple((kind, which) for kind, which in topics), payload, key, until)


class MessageTrigger(Named):
    """A message that an element sends or receives.

    `address` names the element among those of all files; `targets` are where the message flows that leave it lead.
    `key` gives the correlation key from the variables of whoever sends or waits; where that is `lenient`, None while
    they are not there. `content` are the names of the variables that are sent along, or `payload` computes what is; who
    receives it has it in `variable`, if that is given. It is kept for its `lifetime`.
    """

    kind = "message"

    def __init__(
        self,
        name: str,
        label: str,
        address: str,
        *,
        key: Program | None = None,
        targets: tuple[Topic, ...] = (),
        content: Mapping[str, str] | None = None,
        lenient: bool = False,
        payload: Program | None = None,
        variable: str | None = None,
        lifetime: Duration = LIFETIME,
        computed: Program | None = None,
    ) -> None:
        super().__init__(name, label, computed)
        self.lenient, self.payload, self.variable, self.lifetime = lenient, payload, variable, lifetime
        self.address, self.key, self.targets, self.content = address, key, targets, content or {}

    @property
    def topics(self) -> tuple[Topic, ...]:
        return (("element", self.address), (self.kind, self.label))

    def arm(self, my_task: DrivenTask) -> None:
        super().arm(my_task)
        if self.key is not None:
            my_task.internal_data.setdefault(KEY, {})[self.name] = self._key(my_task, my_task.data)
        kept = my_task.workflow.top_workflow.mailbox.first_for(my_task, self)
        if kept is not None:
            self.take(my_task, self.topics[0], kept.payload)

    def fits(self, my_task: DrivenTask, message: Message) -> bool:
        """Whether the waiting task may receive the message."""
        wanted = my_task.internal_data.get(KEY, {}).get(self.name)
        return (
            any(topic in self.topics_of(my_task) for topic in message.topics)
            and (None in (wanted, message.key) or wanted == message.key)
        )

    def take(self, my_task: DrivenTask, topic: Topic, payload: Mapping[str, Any]) -> None:
        named = payload and self.variable is not None and list(payload) != [self.variable]
        super().take(my_task, topic, {self.variable: dict(payload)} if named and self.variable else payload)

    def throw(self, my_task: DrivenTask) -> bool:
        top = my_task.workflow.top_workflow
        payload = self._content(my_task)
        key = None if self.key is None else self._key(my_task, Overlay(my_task.data, payload))
        label = self.label_at(my_task)
        targets = tuple((self.kind, label) if each == (self.kind, self.label) else each for each in self.targets)
        message = Message(label, targets, payload, key, timestamp(self.lifetime.after(top.now)))
        if targets:
            top.mailbox.send(message)
        return True

    def _content(self, my_task: DrivenTask) -> dict[str, Any]:
        variables = my_task.data
        if self.payload is None:
            return {name: variables[source] for name, source in self.content.items() if source in variables}
        try:
            found = self.payload.evaluate(variables, outside=my_task.outside)
        except ExpressionError:
            if not my_task.workflow.script_engine.simulated:
                raise
            return {}
        return dict(found) if isinstance(found, Mapping) else {self.variable or self.label: found}

    def _key(self, my_task: DrivenTask, variables: Mapping[str, Any]) -> Any:
        assert self.key is not None
        received = variables.get(self.variable) if self.variable is not None else None
        seen = Overlay(variables, received) if isinstance(received, dict) else variables
        try:
            return self.key.evaluate(seen, outside=my_task.outside)
        except ExpressionError as error:
            lacks = isinstance(error, MissingVariable | MissingKey)
            if (self.lenient and lacks) or my_task.workflow.script_engine.simulated:
                return None
            raise


class Mailbox:
    """The messages of an instance that nobody has received yet. `changed` and `gone` feed incremental saving."""

    def __init__(self, workflow: DrivenWorkflow) -> None:
        self._workflow = workflow
        self.kept: dict[int, Message] = {}
        self.changed: dict[int, Message] = {}
        self.gone: list[int] = []

    def send(self, message: Message) -> DrivenTask | None:
        """Hand a message to its receiver, which is returned, or keep it."""
        receiver = self.deliver(message)
        if receiver is None:
            self._workflow.counter += 1
            self.kept[self._workflow.counter] = self.changed[self._workflow.counter] = message
        return receiver

    def deliver(self, message: Message) -> DrivenTask | None:
        """Hand a message to the one that waits for it longest; None: nobody does."""
        waiting = self._workflow.event_manager.waiting_for
        found = {task.id: task for topic in message.topics for task in waiting(topic)}
        for _, task in sorted(found.items()):
            trigger = receiving(task, message)
            if trigger is not None:
                task.task_spec.event_definition.accept(task, trigger, trigger.topics[0], message.payload)
                task.task_spec._update(task)
                return task
        return None

    def first_for(self, my_task: DrivenTask, trigger: MessageTrigger) -> Message | None:
        """Take out the oldest message that a task which begins to wait may receive; those given up are dropped."""
        for number, message in list(self.kept.items()):
            if message.until is not None and datetime.fromisoformat(message.until) < self._workflow.now:
                self._drop(number)
            elif trigger.fits(my_task, message):
                self._drop(number)
                return message
        return None

    def leave(self) -> dict[int, Message]:
        """Take out all that nobody in the instance has received, for others to receive it."""
        left = dict(self.kept)
        for number in left:
            self._drop(number)
        return left

    def _drop(self, number: int) -> None:
        del self.kept[number]
        if self.changed.pop(number, None) is None:
            self.gone.append(number)


def receiving(task: DrivenTask, message: Message) -> MessageTrigger | None:
    """The trigger of a waiting task that the message fits, and that has not had its own yet."""
    awaited = task.task_spec.event_definition.open_triggers(task)
    return next((each for each in awaited if isinstance(each, MessageTrigger) and each.fits(task, message)), None)


def triggers_of(task: DrivenTask) -> list[Trigger]:
    """What a waiting task waits for, one by one."""
    definition = task.task_spec.event_definition
    return getattr(definition, "event_definitions", None) or [definition]
