"""The journal of one attempt: answers of models and tools, kept before they are used."""

from __future__ import annotations

from typing import Any, Protocol


class Journal(Protocol):
    """Answers of models and tools; purged when their activity run completes."""

    def get(self, run: str, call: str) -> dict[str, Any] | None: ...

    def put(self, run: str, call: str, answer: dict[str, Any]) -> None: ...


class AttemptJournal:
    """The rows of one attempt of a run, by a key that is the same when the attempt is done over."""

    def __init__(self, journal: Journal, run: str, attempt: int) -> None:
        self._journal, self._run, self._attempt = journal, run, attempt

    def get(self, key: str) -> dict[str, Any] | None:
        return self._journal.get(self._run, f"{self._attempt}:{key}")

    def put(self, key: str, row: dict[str, Any]) -> None:
        self._journal.put(self._run, f"{self._attempt}:{key}", row)
