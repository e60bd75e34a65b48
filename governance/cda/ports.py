"""Ports of the memory: what it asks of others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol


class Journal(Protocol):
    """Where a memory writes down what happened to it, and reads it back after a restart."""

    def append(self, event: Mapping[str, Any]) -> None: ...

    def events(self) -> Iterator[Mapping[str, Any]]:
        """All events in their order. Raises BrokenJournal for a line that is none."""
        ...
