"""What the memory holds: one entry per message, its text as it is scored, and the message as it was given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from governance.cda.asked import Kind
from governance.snapshots.canonical import canonical

Message = Mapping[str, Any]
"""A plain message: `role` and `content`, perhaps `name`, `tool_calls`, `tool_call_id`; no vendor's type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One message of a turn. `number` counts from 0 in the order of arrival."""

    id: str
    number: int
    turn: int
    message: Message
    text: str
    tokens: int
    scope: str = ""
    """The sub-process, lane, session or document that the entry belongs to."""
    name: str = ""
    """Who speaks, or the title of a document, as a key (`name_key`)."""
    tools: frozenset[str] = frozenset()
    """Tools called or answering, data objects read or written, types of knowledge."""
    calls: frozenset[str] = frozenset()
    """Ids of tool calls made or answered: entries that share one are shown together or not at all."""
    causes: tuple[str, ...] = ()
    """Ids of entries that this one follows from, where the caller says so."""
    at: str = ""
    kinds: frozenset[Kind] = frozenset()
    """The kinds of answers that its text can hold."""
    asking: float = 0.0
    """How much of it asks, if it ends with a question (`asked.asking`)."""
    of_oneself: bool = False
    """Whether it speaks of who says it."""
    to: str = ""
    """Whom it speaks to, as a key, where it speaks of them: "your"."""

    @property
    def role(self) -> str:
        return str(self.message.get("role", "user"))


def text_of(message: Message) -> str:
    """The text a message is scored and counted by: its content, and the calls it makes."""
    content = message.get("content")
    parts = [content if isinstance(content, str) else _parts(content)] if content else []
    for name, arguments, _ in calls_of(message):
        parts.append(f"{name}({arguments})")
    return "\n".join(parts)


def calls_of(message: Message) -> list[tuple[str, str, str]]:
    """Name, arguments (as text) and id of each tool call in a message; flat and nested forms are read."""
    listed = message.get("tool_calls")
    found = []
    for call in listed if isinstance(listed, list) else []:
        if not isinstance(call, Mapping):
            continue
        inner = call.get("function")
        made = inner if isinstance(inner, Mapping) else call
        arguments = made.get("arguments", "")
        text = arguments if isinstance(arguments, str) else canonical(arguments).decode()
        found.append((str(made.get("name", "")), text, str(call.get("id") or "")))
    return found


def _parts(content: Any) -> str:
    """Text of a content that is a list of parts, or another JSON value."""
    if isinstance(content, list):
        texts = [part.get("text", "") if isinstance(part, Mapping) else str(part) for part in content]
        return "\n".join(text for text in texts if isinstance(text, str) and text)
    return canonical(content).decode()
