"""What somebody gave to what waits: the outputs of a task, or a decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from engine.people.work_item import WorkItem
from governance.human_loop.intervention import Decision, Intervention


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A user or manual task that was done; `roles` are those of who did it."""

    outputs: Mapping[str, Any]
    by: str
    roles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A decision about an intervention; `roles` are those of who decided."""

    decision: Decision
    by: str
    roles: tuple[str, ...] = ()
    reason: str = ""
    values: Mapping[str, Any] | None = None


class Answerer(Protocol):
    """Somebody or something that answers what an instance waits for."""

    def do(self, item: WorkItem) -> Done | None:
        """The task's outputs; None: not now."""
        ...

    def decide(self, asked: Intervention) -> Decided | None:
        """The decision; None: not now."""
        ...

    def late(self, error: Exception) -> None:
        """Somebody else was first with what was given last; `error` says who, and when. May raise it."""
        ...

    def refused(self, error: Exception) -> None:
        """What was given last was not accepted. Returns where it is worth asking again, else raises."""
        ...
