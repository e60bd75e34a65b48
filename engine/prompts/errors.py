"""Errors of prompts."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import EngineError


class BadTemplate(EngineError):
    """A prompt template that is missing, does not compile, or asks for what it is not given."""

    def __init__(self, file: str, reason: str, line: int | None = None, allowed: Sequence[str] = ()) -> None:
        self.file, self.reason, self.line, self.allowed = file, reason, line, tuple(allowed)
        where = file if line is None else f"{file}:{line}"
        hint = f"; allowed: {', '.join(allowed)}" if allowed else ""
        super().__init__(f"{where}: {reason}{hint}")
