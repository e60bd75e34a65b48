"""A contested region under a strategy, with what branches left there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from governance.merging.conflicts import Conflict, ConflictValue, Status
from governance.merging.evidence import Evidence
from governance.merging.paths import WHOLE, identical
from governance.merging.regions import Region
from governance.merging.settlement import Outcome, Settlement
from governance.merging.survivors import Survivor
from governance.vocabulary import MergeStrategy


@dataclass(frozen=True)
class Contest:
    """The candidates for a place, oldest stamp first, and the ways in which it can end."""

    key: str
    region: Region
    strategy: MergeStrategy
    evidence: Evidence

    @cached_property
    def candidates(self) -> list[Survivor]:
        """What the strategy chooses from."""
        if self.strategy is MergeStrategy.HIGHEST_CONFIDENCE:
            return self.evidence.standing(self.key, self.region.path)
        return self.evidence.candidates(self.key, self.region)

    @cached_property
    def views(self) -> list[Any]:
        """What each candidate left at the place."""
        return [self.evidence.view(candidate, self.region.path) for candidate in self.candidates]

    @property
    def is_agreement(self) -> bool:
        return all(identical(view, self.views[0]) for view in self.views[1:])

    def taken(self, winner: Survivor) -> Settlement:
        """No conflict, whether or not the values are the same."""
        return self._settlement(Outcome.AGREED if self.is_agreement else Outcome.CHOSEN, winner=winner)

    def won(self, winner: Survivor, reason: str, notice: bool = False) -> Settlement:
        value = self.evidence.view(winner, self.region.path)
        conflict = self._conflict(Status.SETTLED, reason, winner=winner.stamp.branch, value=value, notice=notice)
        return self._settlement(Outcome.CHOSEN, winner=winner, conflict=conflict)

    def folded(self, value: Any) -> Settlement:
        conflict = self._conflict(Status.SETTLED, f"{self.strategy} of what was written since the base", value=value)
        return self._settlement(Outcome.FOLDED, value=value, conflict=conflict)

    def undecided(self, status: Status, reason: str) -> Settlement:
        return self._settlement(Outcome.UNDECIDED, conflict=self._conflict(status, reason))

    def _settlement(self, outcome: Outcome, **more: Any) -> Settlement:
        return Settlement(self.region, outcome, tuple(self.candidates), **more)

    def _conflict(self, status: Status, reason: str, **outcome: Any) -> Conflict:
        path = self.region.path
        return Conflict(
            self.key,
            None if path == WHOLE else path,
            self.evidence.base(self.key, path),
            tuple(map(self._conflict_value, self.candidates, self.views)),
            self.strategy,
            status,
            reason,
            **outcome,
        )

    def _conflict_value(self, candidate: Survivor, view: Any) -> ConflictValue:
        meta = self.evidence.meta(self.key, candidate)
        return ConflictValue(candidate.stamp.branch, view, candidate.stamp.at, meta.confidence, meta.activity)
