"""What an attention measurement takes and gives (Design: attention)."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple

from governance.vocabulary import SuggestedAction


class Health(StrEnum):
    """How a context is doing, in one word."""

    HEALTHY = "healthy"
    WATCH = "watch"
    WARNING = "warning"
    DANGER = "danger"
    EMERGENCY = "emergency"


class AttentionInputs(NamedTuple):
    """What a measurement needs to know beside the context itself.

    `scope` is the variable scope of the activity ("" for the process itself) and `working_threshold` its limit of
    shown characters. `knowledge` is the mean confidence of the items offered to this activity run and the share of
    them that was cited, None where nothing was offered. `branches` counts the leaf branches of the open splits that
    have not arrived: active ones, all of them. `conflicts` counts keys in branches still to merge: those in
    conflict, those written.
    """

    working_threshold: int
    scope: str = ""
    knowledge: tuple[float, float] | None = None
    branches: tuple[int, int] = (0, 0)
    conflicts: tuple[int, int] = (0, 0)


class AttentionVector(NamedTuple):
    """The five scores, each at most 1; only `capacity` can be negative."""

    capacity: float
    duplication: float
    knowledge: float
    branch: float
    conflict: float


class AttentionReport(NamedTuple):
    """A context's attention: the five scores, their weighted sum in [-0.5, 1], and what it asks for."""

    vector: AttentionVector
    score: float
    health: Health
    action: SuggestedAction

    def dump(self) -> dict[str, Any]:
        """The report as a JSON object."""
        return {
            "vector": self.vector._asdict(),
            "score": self.score,
            "health": self.health.value,
            "action": self.action.value,
        }
