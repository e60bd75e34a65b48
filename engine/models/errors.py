"""Errors of models."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import EngineError
from engine.models.base import ModelRequest


class UnknownModel(EngineError):
    """A model specification that names no model."""

    def __init__(self, spec: str, allowed: Sequence[str], element: str | None = None) -> None:
        self.spec, self.allowed, self.element = spec, tuple(allowed), element
        where = "" if element is None else f"{element}: "
        super().__init__(f"{where}there is no model {spec!r}; allowed: {', '.join(allowed)}")


class BadRecording(EngineError):
    """A file of recorded turns that cannot be used."""

    def __init__(self, file: str, reason: str) -> None:
        self.file, self.reason = file, reason
        super().__init__(f"{file}: {reason}")


class NoRecordedTurn(EngineError):
    """A model call that the recording has no turn for. `recorded` counts the activity's turns."""

    def __init__(self, file: str, request: ModelRequest, recorded: int, near: str | None) -> None:
        self.file, self.request, self.recorded, self.near = file, request, recorded, near
        branch = f"branch {request.branch}, " if request.branch else ""
        call = f"{branch}visit {request.visit}, attempt {request.attempt}, turn {request.turn}"
        if recorded:
            hint = f"{recorded} recorded for this activity; `repeat: true` on the last one uses it again"
        else:
            hint = "none recorded for this activity" + (f"; did you mean {near}?" if near else "")
        super().__init__(f"{file}: no recorded turn for {request.activity} ({call}); {hint}")


class RecordedFailure(EngineError):
    """A failure that a recording asked for."""
