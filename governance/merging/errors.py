"""Why a merge was not made."""

from __future__ import annotations

from collections.abc import Sequence

from governance.errors import GovernanceError


class MergeOpen(GovernanceError):
    """A merge whose conflicts have not all been answered."""

    def __init__(self, conflicts: Sequence[str]) -> None:
        self.conflicts = tuple(conflicts)
        super().__init__(f"a person has to decide first: {', '.join(conflicts)}")


class MergeDenied(GovernanceError):
    """A merge that no answer makes possible: SYSTEM differs, or a strategy cannot apply to the values."""

    def __init__(self, conflicts: Sequence[str]) -> None:
        self.conflicts = tuple(conflicts)
        super().__init__(f"cannot be merged: {', '.join(conflicts)}")


class UnknownAnswer(GovernanceError):
    """An answer that fits no conflict, or takes a branch that has no say in it."""

    def __init__(self, answer: str, allowed: Sequence[str]) -> None:
        self.answer, self.allowed = answer, tuple(allowed)
        super().__init__(f"{answer}: no such choice; there are {', '.join(allowed) or 'none'}")


class PathMismatch(GovernanceError):
    """A write that says it changed a path which leads through nothing in the merged value."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"{path} leads through what is not there")
