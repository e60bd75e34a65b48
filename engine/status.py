"""Where an instance stands between advances."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    RUNNING = "running"
    WAITING = "waiting"
    COMPLETED = "completed"
    FAILED = "failed"
    STALLED = "stalled"
