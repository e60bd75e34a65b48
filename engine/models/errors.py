"""Errors of models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

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


class NoModelLibrary(EngineError):
    """A provider's model was named, and the optional part that reaches providers is not installed."""

    def __init__(self, spec: str) -> None:
        self.spec = spec
        super().__init__(f"the model {spec} needs the extra `models`: pip install 'bpmn-governor[models]'")


class ModelNotReady(EngineError):
    """A provider's model that cannot be called as things are: a key is missing, say."""

    def __init__(self, spec: str, reason: str) -> None:
        self.spec, self.reason = spec, reason
        super().__init__(f"the model {spec} cannot be used: {reason}")


Fault = Literal["rate_limit", "overloaded", "timeout", "connection", "context_length", "credentials", "refused"]
TRANSIENT: Final[frozenset[Fault]] = frozenset({"rate_limit", "overloaded", "timeout", "connection"})


class ModelCallFailed(EngineError):
    """A call that a provider did not answer, after `tries` calls.

    `fault` says why; `retry_after` is in seconds, as the provider asks for, None where it does not say.
    """

    def __init__(
        self, model: str, fault: Fault, reason: str, *, retry_after: float | None = None, tries: int = 1
    ) -> None:
        self.model, self.fault, self.reason = model, fault, reason
        self.retry_after, self.tries = retry_after, tries
        often = f" after {tries} tries" if tries > 1 else ""
        super().__init__(f"{model}: {fault.replace('_', ' ')}{often}: {reason}")

    @property
    def transient(self) -> bool:
        """Whether the same call may succeed later."""
        return self.fault in TRANSIENT
