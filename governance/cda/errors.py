"""Errors of CDA."""

from __future__ import annotations

from collections.abc import Sequence

from governance.errors import GovernanceError


class PhaseRefused(GovernanceError):
    """An event that the current phase does not know."""

    def __init__(self, phase: str, event: str, allowed: Sequence[str]) -> None:
        self.phase, self.event, self.allowed = phase, event, tuple(allowed)
        super().__init__(f"phase {phase}: {event} is no event of it; allowed are {', '.join(allowed)}")


class UnknownEntry(GovernanceError):
    """An id that no entry of the memory has."""

    def __init__(self, session: str, entry: str) -> None:
        self.session, self.entry = session, entry
        super().__init__(f"session {session}: no entry {entry}")


class BadMessage(GovernanceError):
    """A message that cannot be an entry."""

    def __init__(self, position: int, found: str, allowed: str) -> None:
        self.position, self.found, self.allowed = position, found, allowed
        super().__init__(f"message {position} of the turn: found {found}; allowed is {allowed}")


class BrokenJournal(GovernanceError):
    """A journal line that is not what the memory wrote."""

    def __init__(self, source: str, line: int, found: str) -> None:
        self.source, self.line, self.found = source, line, found
        super().__init__(f"{source}:{line}: {found}")
