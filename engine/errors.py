"""Errors of the engine package."""

from __future__ import annotations

from collections.abc import Sequence

from bpmn.findings import Finding


class EngineError(Exception):
    """Base of every error that the engine raises on purpose."""


class NotRunnable(EngineError):
    """An element that the engine does not run."""

    def __init__(self, file: str, element: str, line: int | None, found: str) -> None:
        self.file, self.element, self.line, self.found = file, element, line, found
        super().__init__(f"{file}:{line or '?'}: {element}: {found} is not run by this engine")


class NotDeployable(EngineError):
    """A file with errors in it; each of `findings` says where and what."""

    def __init__(self, file: str, findings: Sequence[Finding]) -> None:
        self.file, self.findings = file, tuple(findings)
        super().__init__("\n".join(str(finding) for finding in findings))


class UnknownProcess(EngineError):
    """A file with several processes, none of them chosen."""

    def __init__(self, file: str, processes: Sequence[str]) -> None:
        self.file, self.processes = file, tuple(processes)
        super().__init__(f"{file}: say which process to start: {', '.join(processes) or 'there is none'}")


class NothingToRetry(EngineError):
    """A retry of what has not failed."""

    def __init__(self, instance: str, element: str | None, failed: Sequence[str]) -> None:
        self.instance, self.element, self.failed = instance, element, tuple(failed)
        what = f"{element} has not failed" if element else "nothing has failed"
        super().__init__(f"instance {instance}: {what}; failed are {', '.join(failed) or 'none'}")


class UnknownBranch(EngineError):
    """A branch that no live token is on, or several tokens and no branch named."""

    def __init__(self, instance: str, branch: str | None, branches: Sequence[str]) -> None:
        self.instance, self.branch, self.branches = instance, branch, tuple(branches)
        what = "no live token" if branch is None else f"no live token on branch {branch or '(main)'}"
        told = ", ".join(each or "(main)" for each in branches) or "none"
        super().__init__(f"instance {instance}: {what} can be put back; live branches are {told}")
