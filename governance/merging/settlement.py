"""What a merge makes of one region of one key."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from governance.merging.conflicts import Conflict
from governance.merging.regions import Region
from governance.merging.survivors import Survivor
from governance.snapshots.values import ValueStore


class Outcome(Enum):
    """How a region was decided."""

    TAKEN = auto()
    """One surviving write: nothing to decide, and no write of the merge's own."""
    AGREED = auto()
    """Several writes of the same value: written by the merge, with the stamp of the last."""
    CHOSEN = auto()
    """One of several values: written by the merge, with the stamp of the one chosen."""
    FOLDED = auto()
    """A reducer's value: written by the merge, with no winner."""
    GIVEN = auto()
    """A value that a person gave: written by the merge, with a stamp of its own."""
    UNDECIDED = auto()
    """Open or denied."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """A region with its outcome, and what there was to choose from.

    `value` is a FOLDED or GIVEN one; TAKEN, AGREED and CHOSEN have a winner instead. `by_person`: a person decided.
    """

    region: Region
    outcome: Outcome
    candidates: tuple[Survivor, ...] = ()
    winner: Survivor | None = None
    value: Any = None
    conflict: Conflict | None = None
    by_person: bool = False

    @property
    def is_written(self) -> bool:
        """Whether the merge writes the region, so that later merges take it as decided."""
        return self.outcome is not Outcome.TAKEN

    @property
    def latest(self) -> Survivor:
        """The write that says when, and by whom, the region got its value."""
        return self.winner or self.region.members[-1]

    def content(self, values: ValueStore) -> Any:
        """What stands at the region's path after the merge."""
        return self.winner.view(values, self.region.path) if self.winner else self.value


@dataclass(frozen=True, slots=True)
class KeyMerge:
    """A key that was written since the base, region by region in the order in which they are to be assigned."""

    key: str
    settlements: tuple[Settlement, ...]

    @classmethod
    def of(cls, key: str, settlements: list[Settlement]) -> KeyMerge:
        """Outer regions come first, and of those side by side the one that was written last comes last."""
        ordered = sorted(settlements, key=lambda one: (one.region.depth, one.latest.stamp.order()))
        return cls(key, tuple(ordered))

    @property
    def is_written(self) -> bool:
        """Whether the merge decides anything about the key."""
        return any(settlement.is_written for settlement in self.settlements)

    @property
    def heads(self) -> int:
        """Mask of the heads that have seen every write that counts."""
        common = -1
        for settlement in self.settlements:
            for member in settlement.region.members:
                common &= member.heads
        return common

    @property
    def conflicts(self) -> list[Conflict]:
        return [settlement.conflict for settlement in self.settlements if settlement.conflict is not None]
