"""The event log of an instance: what happened, in order, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from governance.snapshots.model import made


class EventType(StrEnum):
    INSTANCE_STARTED = "instance_started"
    ACTIVITY_STARTED = "activity_started"
    ACTIVITY_COMPLETED = "activity_completed"
    SLA_MISSED = "sla_missed"
    D1 = "D1"
    RECALLED = "recalled"
    ZONES = "zones"
    D2 = "D2"
    D3 = "D3"
    ATTENTION = "attention"
    GATEWAY = "gateway"
    INTERRUPTED = "interrupted"
    INTERVENTION_RAISED = "intervention_raised"
    INTERVENTION_DELEGATED = "intervention_delegated"
    INTERVENTION_ESCALATED = "intervention_escalated"
    INTERVENTION_ANSWERED = "intervention_answered"
    WORK_ITEM_CREATED = "work_item_created"
    WORK_ITEM_COMPLETED = "work_item_completed"
    MESSAGE_RECEIVED = "message_received"
    CHAT_TURN = "chat_turn"
    MODEL_CALL = "model_call"
    TOOL_CALL = "tool_call"
    KNOWLEDGE_INJECTED = "knowledge_injected"
    KNOWLEDGE_FEEDBACK = "knowledge_feedback"
    KNOWLEDGE_FOUND = "knowledge_found"
    CHAIN = "chain"
    NOTICE = "notice"
    REFUSED = "refused"
    INCIDENT = "incident"
    INCIDENT_RESOLVED = "incident_resolved"
    DEAD_END = "dead_end"
    SKILL_LEARNED = "skill_learned"
    CONTEXT_RESTORED = "context_restored"
    REWOUND = "rewound"
    DATA_ERASED = "data_erased"
    VARIABLES_EDITED = "variables_edited"
    BUDGET_RAISED = "budget_raised"
    TAINT_LIFTED = "taint_lifted"
    TOKEN_MOVED = "token_moved"
    INSTANCE_MIGRATED = "instance_migrated"
    INSTANCE_SUSPENDED = "instance_suspended"
    INSTANCE_UNSUSPENDED = "instance_unsuspended"
    INSTANCE_CANCELLED = "instance_cancelled"
    INSTANCE_COMPLETED = "instance_completed"
    INSTANCE_STALLED = "instance_stalled"
    INSTANCE_FAILED = "instance_failed"


_NO_DATA: Final[Mapping[str, Any]] = MappingProxyType({})


class Event(NamedTuple):
    """One entry of the log. `seq` counts from 0 within the instance; `at` is a fixed-width UTC timestamp."""

    seq: int
    at: str
    type: EventType
    element: str | None = None
    branch: str = ""
    data: Mapping[str, Any] = _NO_DATA


class EventLog:
    """Collects the events of an advance; listeners hear of each at once, the store gets them at the commit."""

    def __init__(self, next_seq: int = 0) -> None:
        self.next_seq = next_seq
        self.at = ""
        self.listener: Callable[[Event], None] | None = None
        self._events: list[Event] = []

    def add(self, type: EventType, element: str | None = None, branch: str = "", /, **data: Any) -> Event:
        event = made(Event, (self.next_seq, self.at, type, element, branch, data))
        self.next_seq += 1
        self._events.append(event)
        if self.listener is not None:
            self.listener(event)
        return event

    @property
    def pending(self) -> bool:
        """Whether something was logged since the last commit."""
        return bool(self._events)

    def drain(self) -> list[Event]:
        drained, self._events = self._events, []
        return drained
