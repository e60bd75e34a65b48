"""What compressing costs where an instance writes long texts: room is made before each activity, all the time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchmarks.figures import Figure
from benchmarks.processes import telling_sequence
from benchmarks.timing import best_cpu, exponent
from benchmarks.ways import deployed, governed_run
from engine.embedding import RuleSummaries

_CHARS: Final = 1_000
_SIZES: Final = (300, 700, 1_500)
_TIMES: Final = 2


def figures() -> Iterator[Figure]:
    """How the time grows, and how fast it is at the largest size."""
    seconds = {size: _seconds(size) for size in _SIZES}
    most = max(_SIZES)
    told = f"each writes {_CHARS:,} characters, summaries by rule"
    yield Figure(
        name="speed.texts.activities_per_cpu_s",
        value=most / seconds[most], unit="activities/CPU s", better="higher",
        conditions=f"governed, {most:,} activities, {told}",
    )  # fmt: skip
    yield Figure(
        name="speed.texts.exponent",
        value=exponent(seconds), unit="slope", better="lower", goal=1.15,
        conditions=f"governed, {min(_SIZES):,} to {most:,} activities, {told}, best of {_TIMES}",
    )  # fmt: skip


def _seconds(count: int) -> float:
    definition = deployed(telling_sequence(count, _CHARS))
    return best_cpu(lambda: governed_run(definition, summariser=RuleSummaries()), _TIMES)
