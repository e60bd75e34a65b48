"""What is shown of an entry on each rung, as a plain message (Design: entries, fidelity)."""

from __future__ import annotations

from typing import Any

from governance.cda.entry import Entry
from governance.summaries.summary import key_only, summarise
from governance.vocabulary import Fidelity

MARK = "[Compressed] "
MEMORY = "memory"
"""Who says what no entry says as it stands: the sheet, what failed, keys."""
_SUMMARY_SHARE = 0.3
_SHORT = 200
"""Characters below which an entry has no summary."""
_NOT_SENT = ("id", "scope", "causes", "data", "title", "said_at")
"""Fields of a message that are for the memory alone."""


def has_summary(entry: Entry) -> bool:
    return len(entry.text) >= _SHORT


def shown(entry: Entry, fidelity: Fidelity, query: str) -> dict[str, Any]:
    """The message of an entry; below FULL its content is shortened and marked, its calls stay."""
    message = {key: value for key, value in entry.message.items() if key not in _NOT_SENT}
    if fidelity is Fidelity.FULL:
        return message
    content = entry.message.get("content")
    if fidelity is Fidelity.SUMMARY:
        limit = int(_SUMMARY_SHARE * len(entry.text)) - len(MARK)
        return {**message, "content": MARK + summarise(content or "", query=query, limit=max(0, limit))}
    return {**message, "content": MARK + key_only(entry.id, content or "")}


def said(content: str) -> dict[str, Any]:
    """A message of the memory's own; a user's, since it repeats what may come from anywhere."""
    return {"role": "user", "name": MEMORY, "content": content}
