"""The numbers of the knowledge flywheel (Design: flywheel)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from governance.flywheel.item import SourceKind

Share = Annotated[float, Field(ge=0.0, le=1.0)]


class FlywheelSettings(BaseModel):
    """Thresholds of confidence (0..1), steps of feedback, and how far each kind of source is trusted."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    authority: Mapping[SourceKind, Share] = Field(
        default_factory=lambda: {
            SourceKind.DESIGNER: 0.9,
            SourceKind.PERSON: 0.9,
            SourceKind.DOCUMENT: 0.8,
            SourceKind.SERVICE: 0.75,
            SourceKind.FINDING: 0.6,
            SourceKind.WEB: 0.4,
        }
    )
    confirmed: Share = 0.95
    """What a person's confirmation makes of an item."""
    citation_bonus: Share = 0.01
    """What each earlier citation of the source adds at production, up to `confirmed`."""
    stored_from: Share = 0.3
    """Below it an item is not stored."""
    usable_above: Share = 0.7
    """Up to it an item is to be verified."""
    same_above: Share = 0.9
    """Two texts more alike than this are one item."""
    whole_above: float = 0.6
    """Attention above which items are given whole."""
    core_from: float = 0.4
    """Attention from which the confident core is given; below it keys and summaries."""
    low_knowledge: Share = 0.4
    """A knowledge score below it lowers what helped little."""
    high_knowledge: Share = 0.8
    """A knowledge score above it raises what was cited."""
    lowered_by: Share = 0.1
    raised_by: Share = 0.05
    precise_from: Share = 0.7
    """The least confidence of what a PRECISE re-injection brings."""
