"""Attention over a run: five dimensions at their lowest, on average and at last, and the score at each measuring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from governance.attention.bands import health_of
from governance.attention.dimensions import WEIGHTS
from governance.attention.report import Health

DIMENSIONS: Final[Mapping[str, tuple[str, str]]] = {
    "capacity": ("Capacity", "room left in the working layer"),
    "duplication": ("Duplication", "nothing stands there twice"),
    "knowledge": ("Knowledge", "what was offered is sure, and was used"),
    "branch": ("Branches", "branches work rather than wait"),
    "conflict": ("Conflict", "branches do not contradict each other"),
}
"""What each dimension is called, and what a full score means."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One measuring."""

    number: int
    at: str
    element: str
    branch: str
    score: float
    vector: Mapping[str, float]
    health: Health


@dataclass(frozen=True, slots=True)
class Dimension:
    """One dimension over the run. `where` is the element of its lowest value."""

    key: str
    name: str
    meaning: str
    weight: float
    lowest: float
    average: float
    last: float
    where: str


@dataclass(frozen=True, slots=True)
class Attention:
    """All measurings of a run, at least one."""

    measures: Sequence[Measure]
    dimensions: Sequence[Dimension]
    average: float

    @property
    def lowest(self) -> Measure:
        return min(self.measures, key=lambda measure: measure.score)

    @property
    def last(self) -> Measure:
        return self.measures[-1]


def attention(samples: Sequence[Mapping[str, Any]]) -> Attention | None:
    """From the measures of a run's summary; None where nothing was measured."""
    if not samples:
        return None
    measures = [
        Measure(
            number=number,
            at=sample["at"],
            element=sample["element"] or "",
            branch=sample["branch"],
            score=sample["score"],
            vector=sample["vector"],
            health=health_of(sample["score"]),
        )
        for number, sample in enumerate(samples, start=1)
    ]
    return Attention(
        measures,
        [_dimension(key, measures) for key in DIMENSIONS],
        fmean(measure.score for measure in measures),
    )


def _dimension(key: str, measures: Sequence[Measure]) -> Dimension:
    lowest = min(measures, key=lambda measure: measure.vector[key])
    return Dimension(
        key=key,
        name=DIMENSIONS[key][0],
        meaning=DIMENSIONS[key][1],
        weight=getattr(WEIGHTS, key),
        lowest=lowest.vector[key],
        average=fmean(measure.vector[key] for measure in measures),
        last=measures[-1].vector[key],
        where=lowest.element,
    )
