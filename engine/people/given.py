"""What somebody gave to what waits: the outputs of a task, or a decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from engine.people.work_item import WorkItem
from governance.human_loop.intervention import Decision, Intervention

_SHORTEST: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A user or manual task that was done; `roles` are those of who did it."""

    outputs: Mapping[str, Any]
    by: str
    roles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A decision about an intervention; `roles` are those of who decided.

    `shown` is the hash of what they saw, or its beginning; None: what is shown now.
    """

    decision: Decision
    by: str
    roles: tuple[str, ...] = ()
    reason: str = ""
    values: Mapping[str, Any] | None = None
    shown: str | None = None

    def shown_hash(self, asked: Intervention) -> str:
        """The hash that the answer is bound to."""
        beginning = self.shown
        if beginning is None or (len(beginning) >= _SHORTEST and asked.shown_hash.startswith(beginning)):
            return asked.shown_hash
        return beginning


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
