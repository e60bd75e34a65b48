"""Errors of the dead-end registry."""

from __future__ import annotations

from governance.errors import GovernanceError


class UnknownDeadEnd(GovernanceError):
    """A dead end that is not registered."""

    def __init__(self, id: str) -> None:
        self.id = id
        super().__init__(f"no dead end {id}; governor dead-ends list shows those there are")


class NotRetired(GovernanceError):
    """A dead end that has ended already."""

    def __init__(self, id: str, status: str) -> None:
        self.id, self.status = id, status
        super().__init__(f"dead end {id} has ended already: {status}")
