"""`Merger`: D3, where several branches become one (Design: D3 merge).

From heads to a merge commit: `walk` finds the commits since the branches parted, `survivors` the writes that nobody
overwrote, `regions` the places where they meet; `settling` decides each place by a strategy; `composing` puts values
together from places; `committing` makes the commit, with what `fidelity` says is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from governance.merging.answers import Answer, answered
from governance.merging.committing import Committing
from governance.merging.conflicts import Conflict
from governance.merging.knowledge import Similarity
from governance.merging.paths import identical
from governance.merging.plan import MergePlan
from governance.merging.planning import Planning
from governance.merging.rules import Head, MergeRules
from governance.merging.settlement import KeyMerge
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import CommitMeta

__all__ = ["Answer", "MergeResult", "Merger"]

_NO_ANSWERS: Final[Mapping[str, Answer]] = {}


@dataclass(frozen=True, slots=True)
class MergeResult:
    """A merge that was made. `record` is for HISTORY: the heads, and of every conflict who decided, and what was lost.

    Shape of `record`: {"heads": [{"branch", "snapshot"}], "bases": [id], "conflicts": [{"key", "path", "strategy",
    "decided_by": "rule" | "person", "reason", "winner", "value" | "deleted", "lost": [values as in a conflict]}],
    "confirmed": [{"key", "dropped", "confidence"}]}; the last two only if there are any.
    """

    snapshot: str
    plan: MergePlan
    record: dict[str, Any]


class Merger:
    """Merges snapshots of one graph. `similarity` (0..1, symmetric) tells which pieces of KNOWLEDGE say the same."""

    def __init__(self, graph: SnapshotGraph, similarity: Similarity | None = None) -> None:
        self._graph = graph
        self._similarity = similarity or _text_similarity

    def plan(self, heads: Sequence[Head], rules: MergeRules) -> MergePlan:
        """What merging `heads`, at least one, comes to: pure, and the same for every order of heads.

        Cost: the commits since the heads parted. Raises UnknownSnapshot.
        """
        return Planning(self._graph, heads, rules, self._similarity).plan()

    def commit(self, plan: MergePlan, meta: CommitMeta, answers: Mapping[str, Answer] = _NO_ANSWERS) -> MergeResult:
        """Make the merge; without a commit if the plan fast-forwards.

        `meta` names the join, the joined branch and the advance's time, which is none before that of a parent. Answers
        go by the conflicts' ids and may overrule what is settled. Raises MergeDenied, MergeOpen and UnknownAnswer, and
        then nothing was made.
        """
        merges = answered(plan, answers)
        record = _record(plan, merges)
        if plan.fast_forward is not None and not answers:
            return MergeResult(plan.fast_forward, plan, record)
        return MergeResult(Committing(self._graph, plan, meta).commit(merges).id, plan, record)


def _text_similarity(one: str, other: str) -> float:
    from governance.similarity.vectors import text_similarity

    return text_similarity(one, other)


def _record(plan: MergePlan, merges: Sequence[KeyMerge]) -> dict[str, Any]:
    record: dict[str, Any] = {
        "heads": [{"branch": head.branch, "snapshot": head.snapshot} for head in plan.heads],
        "bases": list(plan.bases),
    }
    by_rule = {conflict.id: conflict for conflict in plan.conflicts}
    conflicts = [conflict for merge in merges for conflict in merge.conflicts]
    if conflicts:
        record["conflicts"] = [
            _decision(conflict, "rule" if conflict is by_rule[conflict.id] else "person") for conflict in conflicts
        ]
    if plan.confirmed:
        record["confirmed"] = [confirmed.dump() for confirmed in plan.confirmed]
    return record


def _decision(conflict: Conflict, decided_by: str) -> dict[str, Any]:
    document = conflict.dump()
    kept = ("key", "path", "strategy", "reason", "winner", "value", "deleted")
    is_fold = decided_by == "rule" and conflict.winner is None
    lost = [] if is_fold else [value for value in conflict.values if not identical(value.value, conflict.value)]
    return {
        **{name: document[name] for name in kept if name in document},
        "decided_by": decided_by,
        "lost": [value.dump() for value in lost],
    }
