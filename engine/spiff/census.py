"""How many tokens of an instance can move by themselves, and how many wait for the world outside.

Kept at state changes, so that asking costs nothing: the fourth dimension of attention asks after every activity, and
stall detection after every advance.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from SpiffWorkflow.util.task import TaskState


class Census(Enum):
    """What a live task of an element is: at work, or waiting for a person, a message or a timer."""

    ACTIVE = "active"
    IDLE = "idle"


class TokenCensus:
    """Counts of live tokens. Tokens that wait at a join have arrived and are not counted."""

    def __init__(self) -> None:
        self.active = 0
        self.idle = 0

    def moved(self, task_spec: Any, old: int, new: int) -> None:
        kind = task_spec.census
        if kind is Census.ACTIVE:
            self.active += bool(new & _ACTIVE) - bool(old & _ACTIVE)
        elif kind is not None:
            self.idle += bool(new & _IDLE) - bool(old & _IDLE)

    def added(self, task_spec: Any, state: int) -> None:
        """A task that came into being in this state, as at a restart."""
        self.moved(task_spec, 0, state)


def is_token(task: Any) -> bool:
    """Whether a live task stands for a token of its own that can still move or is waited for."""
    kind = task.task_spec.census
    return kind is not None and bool(task._state & (_ACTIVE if kind is Census.ACTIVE else _IDLE))


_ACTIVE = TaskState.READY | TaskState.STARTED
_IDLE = TaskState.WAITING | TaskState.READY | TaskState.STARTED
