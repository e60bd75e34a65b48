"""Events: what they throw and catch, and what they refer to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from bpmn.parts.texts import Expression

EventKind = Literal[
    "none",
    "message",
    "timer",
    "signal",
    "error",
    "escalation",
    "conditional",
    "terminate",
    "link",
    "compensation",
    "cancel",
    "multiple",
]
"""`multiple` stands for an event with several definitions; they are in `EventDefinition.definitions`."""


TimerKind = Literal["duration", "date", "cycle"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer:
    """A timer's ISO 8601 text, or cron's, or an expression that gives one of them."""

    kind: TimerKind
    text: str
    quartz: bool = False
    """Whether days of the week in a cron text count from 1, Sunday."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDefinition:
    """What an event throws or catches; on a send or receive task, its message."""

    kind: EventKind
    ref: str | None = None
    """Id in the definition's messages, signals, errors or escalations; of a link event, the link's name; of a thrown
    compensation, the activity to undo, None: all that has finished."""
    timer: Timer | None = None
    condition: Expression | None = None
    wait: bool = True
    """Thrown compensation: whether it is waited for (`waitForCompletion`)."""
    definitions: tuple[EventDefinition, ...] = ()
    parallel_multiple: bool = False
    code_variable: str | None = None
    """Of a caught error or escalation: the variable that gets its code."""
    message_variable: str | None = None
    """Of a caught error: the variable that gets its message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRef:
    """A message, signal, error or escalation; `code` is the error's or escalation's code, `message` what an error says.

    Where a name is `computed`, so it is by who throws it and who waits for it; a `computed_code` by who throws it.

    `key` is a message's correlation key: over the variables of who sends it, and of who waits for it. If it is
    `lenient`, who has not got these variables yet waits for any; `subscriptions` are what processes wait for instead,
    by their ids. A message carries its `payload`, which is in `variable` for who receives it; without, what the element
    says that sends it. `lifetime` is how long it is kept, an ISO 8601 duration.
    """

    id: str
    name: str | None = None
    code: str | None = None
    key: Expression | None = None
    lenient: bool = False
    subscriptions: Mapping[str, Expression] = field(default_factory=dict)
    payload: Expression | None = None
    variable: str | None = None
    lifetime: str | None = None
    message: str | None = None
    computed: Expression | None = None
    computed_code: Expression | None = None
