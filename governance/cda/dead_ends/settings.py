"""Numbers of the dead-end registry (Design: CDA, dead ends)."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from governance.policy import Share


class DeadEndSettings(BaseModel):
    """When an attempt is refused, when it is told, and for how long a dead end counts.

    `refuse_similarity`: as alike as that is the same attempt once there were `refuse_failures` failures within
    `recent_days`; from `tell_similarity` on it is told, and counts `told_weight` of what it would. `max_age_days`
    after its last failure a dead end is over.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    refuse_similarity: Share = 0.95
    tell_similarity: Share = 0.82
    refuse_failures: int = Field(default=2, ge=1)
    recent_days: float = Field(default=7.0, gt=0)
    max_age_days: float = Field(default=30.0, gt=0)
    told_weight: Share = 0.5
