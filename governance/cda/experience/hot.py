"""When experience is hot, and the skill that it makes (Design: CDA, hot experience)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import pstdev

from pydantic import BaseModel, ConfigDict, Field

from governance.cda.experience.model import (
    Boundaries,
    ExecutionPattern,
    Experience,
    OutcomeTags,
    Preconditions,
    Skill,
)
from governance.ports import timestamp
from governance.snapshots.canonical import canonical, digest

_NAMED = 5


class HotSettings(BaseModel):
    """So many hits, as even as that, within so many days."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    hits: int = Field(default=3, ge=1)
    deviation: float = Field(default=0.15, gt=0)
    days: float = Field(default=7.0, gt=0)


def skill_of(experiences: Iterable[Experience], at: str, settings: HotSettings | None = None) -> Skill | None:
    """The skill that experiences with one tool and the same features make at a time; None: they are not hot.

    Hot: at least `hits` hits within the last `days`, whose alignments deviate by less than `deviation` (standard
    deviation of these hits).
    """
    settings = settings or HotSettings()
    since = timestamp(datetime.fromisoformat(at) - timedelta(days=settings.days))
    recent = [each for each in experiences if since <= each.at <= at]
    hits = [each for each in recent if each.hit]
    if len(hits) < settings.hits or pstdev(each.alignment for each in hits) >= settings.deviation:
        return None
    return _skill(hits, [each for each in recent if not each.hit])


def _skill(hits: Sequence[Experience], misses: Sequence[Experience]) -> Skill:
    last = hits[-1]
    steps = last.steps or (last.told or last.tool,)
    reasons = _distinct(each.told for each in misses)
    return Skill(
        id=skill_id(last.tool, last.features),
        preconditions=Preconditions(evidence=(last.tool, *last.features)),
        execution_pattern=ExecutionPattern(
            steps=steps, transitions={f"after_{first}": second for first, second in pairwise(steps)}
        ),
        boundaries=Boundaries(valid_conditions=last.features, invalid_conditions=reasons),
        outcome_tags=OutcomeTags(success_patterns=_distinct(each.told for each in hits), failure_patterns=reasons),
    )


def skill_id(tool: str, features: Sequence[str]) -> str:
    """The same for the same tool and features."""
    name = "".join(each if each.isascii() and each.isalnum() else "_" for each in tool)[:100]
    return f"{name}_{digest(canonical([tool, *features]))[:8]}_v1"


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    """The last few, each once."""
    return tuple(dict.fromkeys(filter(None, reversed(list(texts)))))[:_NAMED]
