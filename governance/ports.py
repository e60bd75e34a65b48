"""Ports: what governance needs from outside, as protocols. Time, ids and models come in through these."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Protocol


class Clock(Protocol):
    """Where time comes from."""

    def now(self) -> datetime:
        """The present moment, timezone-aware, in UTC."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class FixedClock:
    """A clock that stands still until it is moved; for tests, replay and `--clock`."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def now(self) -> datetime:
        return self._at

    def move_to(self, at: datetime) -> None:
        self._at = at


class Summariser(Protocol):
    """Shortens a value for a reader who wants to know `query`."""

    def summarise(self, value: Any, *, query: str, limit: int) -> str:
        """Text of at most `limit` code points."""
        ...


def timestamp(at: datetime) -> str:
    """`at` as fixed-width ISO 8601 in UTC, microseconds; text order is time order."""
    return f"{at.astimezone(UTC).isoformat(timespec='microseconds')[:-6]}Z"
