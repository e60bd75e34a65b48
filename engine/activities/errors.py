"""Errors of handlers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import EngineError


@dataclass(frozen=True, slots=True)
class Undone:
    """An activity that nobody would do. `job_type` is None where the file names none."""

    element: str
    kind: str
    job_type: str | None = None
    line: int | None = None
    near: str | None = None

    def __str__(self) -> str:
        if self.job_type is None:
            return f"{self.element}: the {self.kind} has neither a job type nor an agent"
        hint = f"; did you mean {self.near}?" if self.near else ""
        return f"{self.element}: no handler is registered for the job type {self.job_type}{hint}"


class MissingHandler(EngineError):
    """Activities without a handler. `registered` are the job types that have one."""

    def __init__(self, missing: Sequence[Undone], registered: Sequence[str], file: str | None = None) -> None:
        self.missing, self.registered, self.file = tuple(missing), tuple(registered), file
        told = [f"{_where(file, undone.line)}{undone}" for undone in missing]
        told.append(f"registered job types: {', '.join(registered) or 'none'}")
        super().__init__("\n".join(told))


class BadHandlers(EngineError):
    """A module or entry point that handlers cannot be taken from."""

    def __init__(self, source: str, reason: str) -> None:
        self.source, self.reason = source, reason
        super().__init__(f"handlers from {source}: {reason}")


class UnknownTools(EngineError):
    """Tools that an agent names and that nobody has. `known` are the tools there are."""

    def __init__(self, activity: str, tools: Sequence[str], known: Sequence[str], near: str | None) -> None:
        self.activity, self.tools, self.known = activity, tuple(tools), tuple(known)
        hint = f"; did you mean {near}?" if near else ""
        super().__init__(
            f"{activity}: there is no tool {', '.join(tools)}{hint}; there are {', '.join(known)}"
        )


class MissingDecision(EngineError):
    """A decision that an activity asks for and no file has. `known` are those there are, `near` what may be meant."""

    def __init__(
        self, file: str, element: str, line: int | None, decision: str, near: str | None, known: Sequence[str]
    ) -> None:
        self.file, self.element, self.line = file, element, line
        self.decision, self.near, self.known = decision, near, tuple(known)
        hint = f"; did you mean {near}?" if near else ""
        self.reason = f"there is no decision {decision}{hint}"
        super().__init__(
            f"{_where(file, line)}{element}: {self.reason}; known decisions: {', '.join(known) or 'none'}. "
            "Give the file with --decisions, or put it beside the process"
        )


class WrongResult(EngineError):
    """A decision's result that is not what `mapDecisionResult` takes."""

    def __init__(self, activity: str, mapping: str, found: str) -> None:
        self.activity, self.mapping, self.found = activity, mapping, found
        super().__init__(f"{activity}: {mapping} takes one, and the decision gave {found}")


class BadResult(EngineError):
    """What a service handler gave back is not what a handler may give."""

    def __init__(self, activity: str, job_type: str, reason: str) -> None:
        self.activity, self.job_type, self.reason = activity, job_type, reason
        super().__init__(f"{activity}: the handler of {job_type} {reason}")


class ModelFailed(EngineError):
    """A model call that raised; the exception itself is the `__cause__`."""

    def __init__(self, activity: str, model: str, cause: Exception) -> None:
        self.activity, self.model = activity, model
        super().__init__(f"{activity}: the model {model} failed: {_told(cause)}")


_LONGEST_CAUSE = 500


def _told(cause: Exception) -> str:
    """The cause on one line; a library's message may be a page."""
    text = " ".join(str(cause).split())
    text = text if len(text) <= _LONGEST_CAUSE else text[:_LONGEST_CAUSE] + "…"
    if isinstance(cause, EngineError):
        return text
    return f"{type(cause).__name__}: {text}" if text else type(cause).__name__


def _where(file: str | None, line: int | None) -> str:
    if file is None:
        return ""
    return f"{file}: " if line is None else f"{file}:{line}: "
