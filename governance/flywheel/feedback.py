"""What an activity run teaches about the items it was given (Design: flywheel, feed back)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from governance.flywheel.item import KnowledgeItem, Standing
from governance.flywheel.settings import FlywheelSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """What one activity run was offered: `items` as they are kept now, `cited` the ids it drew on."""

    activity: str
    items: Sequence[KnowledgeItem]
    cited: frozenset[str]
    at: str

    @property
    def rate(self) -> float:
        """Items cited / items offered; 1 where none was offered."""
        return len(self.cited & {item.id for item in self.items}) / len(self.items) if self.items else 1.0

    @property
    def score(self) -> float:
        """Mean confidence times the rate (Design: attention, knowledge)."""
        if not self.items:
            return 1.0
        return self.rate * sum(item.confidence for item in self.items) / len(self.items)


@dataclass(frozen=True, slots=True)
class Step:
    """How one item changed: its confidence before and after, and why."""

    item: KnowledgeItem
    before: float
    why: str

    def record(self) -> dict[str, Any]:
        return {"id": self.item.id, "before": self.before, "after": self.item.confidence, "why": self.why}


def feedback(offered: Offered, settings: FlywheelSettings) -> list[Step]:
    """Each offered item once: what it is now. Items that neither rise nor fall still remember where they helped.

    Score below 0.4: items with confidence x cited below 0.4 are lowered by 0.1 and were no help here. Score above 0.8:
    cited items rise by 0.05. Confidence stays in [0, 1].
    """
    score = offered.score
    return [step for item in offered.items if (step := _step(item, offered, score, settings)) is not None]


def _step(item: KnowledgeItem, offered: Offered, score: float, settings: FlywheelSettings) -> Step | None:
    used = item.id in offered.cited
    confidence, why = item.confidence, "cited" if used else ""
    helped, misled = item.helped, item.misled
    if used:
        helped = _counted(helped, offered.activity)
    if score < settings.low_knowledge and item.confidence * used < settings.low_knowledge:
        confidence, why = confidence - settings.lowered_by, "offered in vain" if not used else "cited, but not trusted"
        misled = misled if used else _counted(misled, offered.activity)
    elif score > settings.high_knowledge and used:
        confidence, why = confidence + settings.raised_by, "cited where knowledge served well"
    if not why:
        return None
    changed = replace(
        item,
        confidence=round(min(1.0, max(0.0, confidence)), 6),
        helped=helped,
        misled=misled,
        updated_at=offered.at,
    )
    return Step(regraded(changed, settings), item.confidence, why)


def regraded(item: KnowledgeItem, settings: FlywheelSettings) -> KnowledgeItem:
    """In the standing that its confidence gives it; what left use stays out of it."""
    if not item.standing.in_use:
        return item
    usable = item.confidence > settings.usable_above
    return replace(item, standing=Standing.USABLE if usable else Standing.TO_VERIFY)


def _counted(counts: Mapping[str, int], activity: str) -> Mapping[str, int]:
    return {**counts, activity: counts.get(activity, 0) + 1}
