"""A user or manual task that waits for a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkItem:
    """One line of the inbox.

    `form` is the JSON Schema of the declared outputs (an object's), None if none are declared. `shown` is what the
    person sees: documentation and the declared inputs' values. Times are fixed-width UTC timestamps.
    """

    id: str
    instance: str
    task: int
    element: str
    name: str
    branch: str = ""
    form: Mapping[str, Any] | None = None
    shown: Mapping[str, Any] = field(default_factory=dict)
    groups: tuple[str, ...] = ()
    assignee: str | None = None
    due: str | None = None
    created_at: str
    status: Literal["open", "completed", "cancelled"] = "open"
    completed_by: str | None = None
    completed_at: str | None = None
    outputs: Mapping[str, Any] | None = None
