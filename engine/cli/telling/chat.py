"""What a chat hears, in lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.chat.events import (
    ActivityCompleted,
    ChatEvent,
    ChatTurn,
    ContextCompressed,
    GatewayReached,
    InstanceEnded,
    Told,
    TurnClosed,
)
from engine.cli.screen.port import Screen, Style
from engine.names import Names


class ChatTeller:
    """Tells events as they come; what is asked is told by `ask`, with what may be answered."""

    def __init__(self, screen: Screen, names: Names) -> None:
        self._screen, self._names = screen, names

    def __call__(self, event: ChatEvent) -> None:
        match event:
            case ActivityCompleted():
                decision = f": {event.decision}" if event.decision else ""
                self._screen.item("done", self._names.element(event.element), (decision, Style.DIM))
            case ContextCompressed():
                text = f"context {event.before:.0%} → {event.after:.0%} for {self._names.element(event.element)}"
                self._screen.item(("D1", Style.GOVERNANCE), text)
            case GatewayReached():
                self._gateway(event)
            case TurnClosed():
                self._screen.item(("answer", Style.PERSON), f"{event.decision} by {event.by}")
            case ChatTurn():
                self._screen.item(("said", Style.PERSON), f"by {event.by}")
            case Told():
                style = Style.WARN if event.kind == "notice" else Style.BAD
                self._screen.item((event.kind, style), event.message)
            case InstanceEnded():
                self._screen.item((event.status, Style.STRONG), event.reason)
            case _:
                pass

    def ask(self, asked: Mapping[str, Any]) -> None:
        """What the instance waits for, and how to answer."""
        name = self._names.element(asked["element"])
        if asked["kind"] == "work_item":
            fields = ", ".join((asked.get("form") or {}).get("properties", {})) or "done"
            self._screen.item(("asks", Style.PERSON), f"{name}: give {fields}")
        else:
            options = ", ".join(asked["options"])
            self._screen.item(("asks", Style.PERSON), f"{name}: {asked['message']} ({options})")

    def _gateway(self, event: GatewayReached) -> None:
        name, kind = self._names.element(event.element), event.kind
        if kind == "chose":
            self._screen.item("gateway", f"{name} → {' + '.join(map(self._names.element, event.to)) or 'nowhere'}")
        elif kind == "split":
            self._screen.item(("D2", Style.GOVERNANCE), f"{name}: {' | '.join(map(self._names.branch, event.to))}")
        else:
            conflicts = f", conflicts: {', '.join(event.conflicts)}" if event.conflicts else ""
            self._screen.item(("D3", Style.GOVERNANCE), f"{name}: joined{conflicts}")
