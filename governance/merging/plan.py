"""What a merge would do: pure, the same for every order of heads, and made anew after a restart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from governance.merging.conflicts import Conflict, Status
from governance.merging.evidence import Evidence
from governance.merging.knowledge import Confirmed
from governance.merging.rules import Head
from governance.merging.settlement import KeyMerge
from governance.merging.walk import Seen


@dataclass(frozen=True, slots=True)
class MergePlan:
    """The outcome of D3 before anything is committed.

    `heads` are sorted by branch, `parents` are their snapshots, first the one that most was done on. `fast_forward`
    is the snapshot that the merge comes to without a commit, because all other heads are among its ancestors and no
    reducer changes it. `carried` are keys taken over from one branch or put together from several, `agreed` the places
    where several wrote the same, `visited` the number of commits looked at.
    """

    heads: tuple[Head, ...]
    parents: tuple[str, ...]
    bases: tuple[str, ...]
    fast_forward: str | None
    carried: tuple[str, ...]
    agreed: tuple[str, ...]
    conflicts: tuple[Conflict, ...]
    confirmed: tuple[Confirmed, ...]
    visited: int
    merges: tuple[KeyMerge, ...] = field(repr=False, compare=False)
    """Every key that the first parent does not have already, but for `plain` ones; for committing."""
    plain: Mapping[str, Seen] = field(repr=False, compare=False)
    """Keys that only one commit wrote, which the first parent has not seen: carried as they are."""
    evidence: Evidence = field(repr=False, compare=False)
    """What the decisions rest on; for committing."""

    @property
    def open(self) -> tuple[Conflict, ...]:
        """Conflicts that need a person."""
        return self._by_status(Status.OPEN)

    @property
    def denied(self) -> tuple[Conflict, ...]:
        """Conflicts that nobody may settle: SYSTEM differs, or a strategy cannot apply to the values."""
        return self._by_status(Status.DENIED)

    @property
    def notices(self) -> tuple[Conflict, ...]:
        """Conflicts settled by the LAST_WRITE default."""
        return tuple(conflict for conflict in self.conflicts if conflict.notice)

    def dump(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "heads": [{"branch": head.branch, "snapshot": head.snapshot} for head in self.heads],
            "bases": list(self.bases),
            "fast_forward": self.fast_forward,
            "carried": list(self.carried),
            "agreed": list(self.agreed),
            "conflicts": [conflict.dump() for conflict in self.conflicts],
            "open": [conflict.id for conflict in self.open],
            "denied": [conflict.id for conflict in self.denied],
            "notices": [conflict.id for conflict in self.notices],
            "confirmed": [confirmed.dump() for confirmed in self.confirmed],
            "visited": self.visited,
        }

    def _by_status(self, status: Status) -> tuple[Conflict, ...]:
        return tuple(conflict for conflict in self.conflicts if conflict.status is status)
