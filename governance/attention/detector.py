"""`ContextAttentionDetector`: measures how well a context can be attended to (Design: attention)."""

from __future__ import annotations

from functools import lru_cache

from governance.attention.bands import assess, suggest_action
from governance.attention.dimensions import (
    branch_score,
    capacity_score,
    conflict_score,
    duplication_score,
    knowledge_score,
    weighted_score,
)
from governance.attention.report import AttentionInputs, AttentionReport, AttentionVector
from governance.layers.spaces import space_for
from governance.snapshots.lookup import Standing
from governance.vocabulary import Layer, SuggestedAction


class ContextAttentionDetector:
    """Measures a context in five dimensions. Pure: a look changes nothing, and costs the same however many entries."""

    def detect(self, standing: Standing, inputs: AttentionInputs) -> AttentionReport:
        """The attention of what is `standing` for an activity in `inputs.scope`.

        Raises ValueError where `inputs` count more active branches or conflicting keys than there are.
        """
        working = standing.totals(space_for(Layer.WORKING, inputs.scope))
        overlap = standing.overlap
        return _report(working.chars, overlap.duplicated, overlap.entries, inputs)

    def suggest_action(self, score: float) -> SuggestedAction:
        """The action that an attention score asks for."""
        return suggest_action(score)


@lru_cache(maxsize=1024)
def _report(shown_chars: int, duplicated: int, entries: int, inputs: AttentionInputs) -> AttentionReport:
    """Remembered, for an activity seldom changes any of these numbers."""
    vector = AttentionVector(
        capacity=capacity_score(shown_chars, inputs.working_threshold),
        duplication=duplication_score(duplicated, entries),
        knowledge=knowledge_score(inputs.knowledge),
        branch=branch_score(*inputs.branches),
        conflict=conflict_score(*inputs.conflicts),
    )
    score = weighted_score(vector)
    return AttentionReport(vector, score, *assess(score))
