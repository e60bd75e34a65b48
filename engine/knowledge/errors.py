"""What cannot be read of documents."""

from __future__ import annotations

from engine.errors import EngineError


class UnreadableDocument(EngineError):
    """A document that is there and cannot be read."""

    def __init__(self, path: str, found: str, allowed: str) -> None:
        self.path, self.found, self.allowed = path, found, allowed
        super().__init__(f"{path}: {found}; {allowed}")
