"""Where an instance stands between advances."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    RUNNING = "running"
    WAITING = "waiting"
    COMPLETED = "completed"
    FAILED = "failed"
    STALLED = "stalled"
    SUSPENDED = "suspended"
    """An operator has stopped it: nothing in it moves until that is lifted."""
    CANCELLED = "cancelled"
    """An operator has ended it before its end."""

    @property
    def halted(self) -> bool:
        """Whether an operator has stopped or ended it: no token moves, no timer fires."""
        return self in (Status.SUSPENDED, Status.CANCELLED)

    @property
    def ended(self) -> bool:
        """Whether nothing of it will ever move again."""
        return self in (Status.COMPLETED, Status.CANCELLED)
