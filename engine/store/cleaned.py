"""What a clean-up came to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wanted:
    """Who wants it cleaned up, when (fixed-width UTC timestamp), and why: what goes on record."""

    by: str
    at: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What was removed, or would be: ids of instances, how many values and their bytes, how many definitions."""

    instances: tuple[str, ...]
    values: int
    bytes: int
    definitions: int
