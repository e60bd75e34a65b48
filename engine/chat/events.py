"""What a chat hears of a process: typed, in the order of the instance's log (Design: the bridge)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from engine.events import Event, EventType


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatEvent:
    """One thing that happened. `seq` counts within the instance, with gaps; `at` is a fixed-width UTC timestamp."""

    instance: str
    seq: int
    at: str
    element: str | None
    branch: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceBegan(ChatEvent):
    process: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityCompleted(ChatEvent):
    """`outputs` names what was written; `attention` is the score after it, `action` what that asks for."""

    outputs: Sequence[str]
    decision: str
    by: str
    attention: float
    action: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextCompressed(ChatEvent):
    """D1; pressures are shown characters of WORKING / its threshold."""

    before: float
    after: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayReached(ChatEvent):
    """`kind`: a token took these ways (`chose`), became several (`split`, D2), or several came together (`joined`, D3).

    `to` are elements, or branches. `conflicts` names what branches disagreed about, `by` is the person who settled it,
    "" where rules did.
    """

    kind: Literal["chose", "split", "joined"]
    to: Sequence[str]
    conflicts: Sequence[str] = ()
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOpened(ChatEvent):
    """The process asks: reply to `id`. A `task` wants outputs, a `question` one of `options`."""

    id: str
    kind: Literal["task", "question"]
    message: str
    options: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnClosed(ChatEvent):
    """What was asked as `id` is answered."""

    id: str
    by: str
    decision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTurn(ChatEvent):
    """Somebody said something into the process: `turn` is its id among those of `ChatProcessBridge.turns`."""

    by: str
    turn: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Told(ChatEvent):
    """Something to know, for which nothing waits: a notice, a refusal, an incident."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceEnded(ChatEvent):
    """`status`: completed, cancelled, stalled or failed."""

    status: str
    reason: str


def chat_event(instance: str, event: Event) -> ChatEvent | None:
    """An event of the log as a chat hears it; None for what is of no concern to it."""
    make = _MADE.get(event.type)
    if make is None:
        return None
    kind, fields = make(event.data)
    where: dict[str, Any] = {"seq": event.seq, "at": event.at, "element": event.element, "branch": event.branch}
    return kind(instance=instance, **where, **fields)


_Made = tuple[type[ChatEvent], dict[str, Any]]


def _completed(data: Mapping[str, Any]) -> _Made:
    score, _, action = data.get("attention", (1.0, (), "CONTINUE"))
    return ActivityCompleted, {
        "outputs": list(data.get("outputs", ())),
        "decision": data.get("decision", ""),
        "by": data.get("by", ""),
        "attention": score,
        "action": action,
    }


def _compressed(data: Mapping[str, Any]) -> _Made:
    pressures = {"before": data["before"]["pressure"], "after": data["after"]["pressure"]}
    return ContextCompressed, {**pressures, "reason": data["reason"]}


def _split(data: Mapping[str, Any]) -> _Made:
    return GatewayReached, {"kind": "split", "to": list(data["branches"])}


def _joined(data: Mapping[str, Any]) -> _Made:
    conflicts = data.get("conflicts", ())
    return GatewayReached, {
        "kind": "joined",
        "to": list(data["branches"]),
        "conflicts": [str(each["key"]) for each in conflicts],
        "by": data.get("decided_by", ""),
    }


def _asked(data: Mapping[str, Any]) -> _Made:
    fields = {"id": data["id"], "kind": "question", "message": data["message"]}
    return TurnOpened, {**fields, "options": list(data.get("options", ()))}


_MADE: Final[Mapping[EventType, Callable[[Mapping[str, Any]], _Made]]] = {
    EventType.INSTANCE_STARTED: lambda data: (InstanceBegan, {"process": data["process"]}),
    EventType.ACTIVITY_COMPLETED: _completed,
    EventType.D1: _compressed,
    EventType.D2: _split,
    EventType.D3: _joined,
    EventType.GATEWAY: lambda data: (GatewayReached, {"kind": "chose", "to": list(data["taken"])}),
    EventType.INTERVENTION_RAISED: _asked,
    EventType.INTERVENTION_ANSWERED: lambda data: (
        TurnClosed,
        {"id": data["id"], "by": data["by"], "decision": data["decision"]},
    ),
    EventType.WORK_ITEM_CREATED: lambda data: (TurnOpened, {"id": data["id"], "kind": "task", "message": ""}),
    EventType.WORK_ITEM_COMPLETED: lambda data: (
        TurnClosed,
        {"id": data["id"], "by": data["by"], "decision": "done"},
    ),
    EventType.CHAT_TURN: lambda data: (ChatTurn, {"by": data["by"], "turn": data["turn"]}),
    EventType.NOTICE: lambda data: (Told, {"kind": "notice", "message": data["message"]}),
    EventType.REFUSED: lambda data: (Told, {"kind": "refused", "message": data["message"]}),
    EventType.INCIDENT: lambda data: (Told, {"kind": "incident", "message": data["error"]}),
    EventType.INSTANCE_COMPLETED: lambda data: (InstanceEnded, {"status": "completed", "reason": ""}),
    EventType.INSTANCE_CANCELLED: lambda data: (
        InstanceEnded,
        {"status": "cancelled", "reason": data.get("reason") or ""},
    ),
    EventType.INSTANCE_STALLED: lambda data: (
        InstanceEnded,
        {"status": "stalled", "reason": data.get("reason") or ""},
    ),
    EventType.INSTANCE_FAILED: lambda data: (InstanceEnded, {"status": "failed", "reason": data.get("reason") or ""}),
}
