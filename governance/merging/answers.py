"""What people answer about conflicts, and what that makes of a plan."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from governance.merging.conflicts import Conflict, Status, names_of
from governance.merging.errors import MergeDenied, MergeOpen, UnknownAnswer
from governance.merging.paths import DELETED
from governance.merging.plan import MergePlan
from governance.merging.settlement import KeyMerge, Outcome, Settlement
from governance.merging.survivors import Survivor


@dataclass(frozen=True, slots=True)
class Answer:
    """A person's decision about one conflict; made by `take`, `value` or `delete`."""

    branch: str | None
    content: Any = None

    @classmethod
    def take(cls, branch: str) -> Answer:
        """Take what this branch left."""
        return cls(branch)

    @classmethod
    def value(cls, value: Any) -> Answer:
        """Put this value there."""
        return cls(None, value)

    @classmethod
    def delete(cls) -> Answer:
        """Remove what stands there."""
        return cls(None, DELETED)


def answered(plan: MergePlan, answers: Mapping[str, Answer]) -> tuple[KeyMerge, ...]:
    """The plan's keys with the answers in place, which may also overrule what a rule has settled.

    Answers go by a name of their conflict that only it has. Raises MergeDenied, UnknownAnswer for an answer that fits
    no conflict, and MergeOpen if a conflict is still open.
    """
    if plan.denied:
        raise MergeDenied([conflict.id for conflict in plan.denied])
    by_id = _by_id(plan, answers)
    unanswered = [conflict.id for conflict in plan.open if conflict.id not in by_id]
    if unanswered:
        raise MergeOpen(unanswered)
    return tuple(_answer_key(merge, by_id) if by_id else merge for merge in plan.merges)


def _by_id(plan: MergePlan, answers: Mapping[str, Answer]) -> dict[str, Answer]:
    ids = [conflict.id for conflict in plan.conflicts]
    meant: dict[str, set[str]] = defaultdict(set)
    for conflict in plan.conflicts:
        for name in names_of(conflict.id, conflict.key, conflict.path):
            meant[name].add(conflict.id)
    known = {name: one.pop() for name, one in meant.items() if len(one) == 1} | {one: one for one in ids}
    for name in answers:
        if name not in known:
            raise UnknownAnswer(name, sorted(ids))
    return {known[name]: answer for name, answer in answers.items()}


def _answer_key(merge: KeyMerge, answers: Mapping[str, Answer]) -> KeyMerge:
    settlements = [
        _answer(one, one.conflict, answers[one.conflict.id]) if one.conflict and one.conflict.id in answers else one
        for one in merge.settlements
    ]
    return KeyMerge.of(merge.key, settlements)


def _answer(settlement: Settlement, conflict: Conflict, answer: Answer) -> Settlement:
    decided = replace(conflict, status=Status.SETTLED, reason="a person decided", notice=False)
    if answer.branch is None:
        decided = replace(decided, winner=None, value=answer.content)
        outcome, winner = Outcome.GIVEN, None
    else:
        winner = _last_of(answer.branch, settlement, conflict)
        value = next(one.value for one in reversed(conflict.values) if one.branch == answer.branch)
        decided = replace(decided, winner=answer.branch, value=value)
        outcome = Outcome.CHOSEN
    return replace(settlement, outcome=outcome, winner=winner, value=answer.content, conflict=decided, by_person=True)


def _last_of(branch: str, settlement: Settlement, conflict: Conflict) -> Survivor:
    """The last candidate of a branch."""
    for candidate in reversed(settlement.candidates):
        if candidate.stamp.branch == branch:
            return candidate
    raise UnknownAnswer(f"{conflict.id}: branch {branch}", [value.branch for value in conflict.values])
