"""A user or manual task that waits for a person."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkItem:
    """One line of the inbox.

    `form` is the JSON Schema of the declared outputs (an object's), None if none are declared. `shown` is what the
    person sees: documentation and the declared inputs' values. Times are fixed-width UTC timestamps. If it is
    `restricted`, only the `assignee`, the `users` and who has a role of `groups` may do it; else they are a hint.
    """

    id: str
    instance: str
    task: int
    element: str
    name: str
    branch: str = ""
    form: Mapping[str, Any] | None = None
    shown: Mapping[str, Any] = field(default_factory=dict)
    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    assignee: str | None = None
    restricted: bool = False
    due: str | None = None
    created_at: str
    status: Literal["open", "completed", "cancelled"] = "open"
    completed_by: str | None = None
    completed_at: str | None = None
    outputs: Mapping[str, Any] | None = None

    @property
    def whom(self) -> tuple[str, ...]:
        """Everybody it is for: the assignee, candidate users, candidate groups."""
        return (*((self.assignee,) if self.assignee else ()), *self.users, *self.groups)

    def is_for(self, person: str, roles: Collection[str]) -> bool:
        """Whether `person`, who has `roles`, may do it."""
        if not self.restricted:
            return True
        named = {each.casefold() for each in ((self.assignee,) if self.assignee else ()) + self.users}
        return person.strip().casefold() in named or not set(self.groups).isdisjoint(roles)
