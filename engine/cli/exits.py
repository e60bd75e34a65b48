"""What the command tells its caller when it ends."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    DONE = 0
    FAILED = 1
    """The process failed, or nothing in it can move."""
    BAD_INPUT = 2
    WAITING = 3
    """For a person, a message or a timer."""
    INTERRUPTED = 130
    BROKEN_PIPE = 141
    """Who read the output went away."""


_BY_STATUS = {
    "completed": Exit.DONE,
    "running": Exit.DONE,
    "waiting": Exit.WAITING,
    "failed": Exit.FAILED,
    "stalled": Exit.FAILED,
    "cancelled": Exit.DONE,
    "suspended": Exit.WAITING,
}


def exit_for(status: str) -> Exit:
    """The exit code of an instance's status. One that runs is with the workers."""
    return _BY_STATUS.get(status, Exit.FAILED)
