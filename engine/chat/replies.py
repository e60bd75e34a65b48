"""What somebody wrote in a chat, as outputs of a task or a decision."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from engine.errors import EngineError
from engine.people.branch_words import with_branches
from engine.people.given import Decided
from engine.people.work_item import WorkItem
from governance.human_loop.intervention import Intervention


class WrongReply(EngineError):
    """A reply that is no answer to what was asked."""

    def __init__(self, id: str, found: str, allowed: str) -> None:
        self.id, self.found, self.allowed = id, found, allowed
        super().__init__(f"{id}: {found or 'an empty reply'} is no answer; {allowed}")


def outputs_of(item: WorkItem, text: str) -> dict[str, Any]:
    """The outputs of a task: a JSON object, or the text itself where one text is to be filled in. Raises WrongReply."""
    fields: Mapping[str, Any] = (item.form or {}).get("properties", {})
    given = _object(text)
    if given is not None:
        return given
    texts = [name for name, schema in fields.items() if "string" in _types(schema)]
    if len(fields) == 1 and texts and text.strip():
        return {texts[0]: text.strip()}
    if not fields and text.strip().lower() in ("", "ok", "done"):
        return {}
    wanted = f"a JSON object with {', '.join(fields)}" if fields else "`done`, or a JSON object"
    raise WrongReply(item.id, _shortened(text), f"allowed is {wanted}")


def decided(asked: Intervention, text: str) -> Decided:
    """A decision: `approve`, `deny REASON`, `edit {...}`, `resolve {...}`. Raises WrongReply."""
    word, _, rest = text.strip().partition(" ")
    word, rest = word.strip(":,.").lower(), rest.strip()
    decision = next((option for option in asked.options if option == word), None)
    if decision is None:
        raise WrongReply(asked.id, _shortened(text), f"allowed are {', '.join(asked.options)}, then the reason")
    values = _object(rest)
    return Decided(
        decision=decision,
        by="",
        reason="" if values is not None else rest,
        values=with_branches(asked, values),
    )


def _object(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _types(schema: Any) -> list[str]:
    kind = schema.get("type", "string") if isinstance(schema, dict) else "string"
    return kind if isinstance(kind, list) else [kind]


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:60] + "…"
