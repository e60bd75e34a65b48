"""What a model proposes about conflicts whose strategy is MODEL, and what that makes of a plan (Design: D3 merge)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from governance.merging.conflicts import Conflict, Status
from governance.merging.plan import MergePlan
from governance.merging.settlement import KeyMerge, Outcome, Settlement
from governance.vocabulary import MergeStrategy

SURE_ENOUGH: Final = 0.7
"""A proposal of less confidence is left to a person."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Take what `branch` left, because of `reason`."""

    branch: str
    reason: str
    confidence: float


def for_model(plan: MergePlan) -> tuple[Conflict, ...]:
    """The open conflicts that a model may settle."""
    return tuple(conflict for conflict in plan.open if conflict.strategy is MergeStrategy.MODEL)


def objection(conflict: Conflict, proposal: Proposal) -> str | None:
    """Why a proposal does not count; None: it does."""
    branches = [value.branch for value in conflict.values]
    if proposal.branch not in branches:
        return f"{proposal.branch or 'no branch'} is none of {', '.join(branches)}"
    if not proposal.reason.strip():
        return "it has no reason"
    if not SURE_ENOUGH <= proposal.confidence <= 1.0:
        return f"its confidence is {proposal.confidence:g}; {SURE_ENOUGH:g} is needed"
    return None


def proposed(plan: MergePlan, proposals: Mapping[str, Proposal]) -> MergePlan:
    """The plan with the proposals that count in place, by the ids of their conflicts; the others stay open."""
    accepted = {
        conflict.id: proposals[conflict.id]
        for conflict in for_model(plan)
        if conflict.id in proposals and objection(conflict, proposals[conflict.id]) is None
    }
    if not accepted:
        return plan
    merges = tuple(_settled(merge, accepted) for merge in plan.merges)
    conflicts = {conflict.id: conflict for merge in merges for conflict in merge.conflicts}
    return replace(plan, merges=merges, conflicts=tuple(conflicts.get(one.id, one) for one in plan.conflicts))


def _settled(merge: KeyMerge, accepted: Mapping[str, Proposal]) -> KeyMerge:
    if not any(conflict.id in accepted for conflict in merge.conflicts):
        return merge
    return KeyMerge.of(merge.key, [_chosen(one, accepted) for one in merge.settlements])


def _chosen(settlement: Settlement, accepted: Mapping[str, Proposal]) -> Settlement:
    conflict = settlement.conflict
    if conflict is None or conflict.id not in accepted:
        return settlement
    proposal = accepted[conflict.id]
    winner = next(one for one in reversed(settlement.candidates) if one.stamp.branch == proposal.branch)
    value = next(one.value for one in reversed(conflict.values) if one.branch == proposal.branch)
    reason = f"the model, {proposal.confidence:.0%} sure: {proposal.reason}"
    decided = replace(conflict, status=Status.SETTLED, reason=reason, winner=proposal.branch, value=value)
    return replace(settlement, outcome=Outcome.CHOSEN, winner=winner, conflict=decided)
