"""Logs of retries replayed against the dead-end registry: what it would have refused, and what of that was right.

A replay cannot show what an agent would have done instead: a refused action is left out, the log goes on as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from benchmarks.retry_logs import Case, Step
from governance.cda.dead_ends.model import Attempt
from governance.cda.dead_ends.registry import DeadEndRegistry
from governance.ports import timestamp

NEAR: Final = 0.9
"""From here on two arguments are near duplicates: cosine of TF-IDF over runs of 2 to 4 characters, a measure that the
registry does not use."""

_BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class Counts:
    """A retry is an action proposed after the first failure of its case."""

    actions: int = 0
    failures: int = 0
    retries: int = 0
    repeats_in_run: int = 0
    repeats_across: int = 0
    exact_passed: int = 0
    near_failures: int = 0
    near_passed: int = 0
    refused: int = 0
    refused_wrongly: int = 0
    told: int = 0


@dataclass(slots=True)
class _Known:
    """What failed in a case, by tool and state: the run it failed in last, by its text."""

    failed: dict[tuple[str, str], dict[str, int]] = field(default_factory=dict)

    def of(self, step: Step) -> dict[str, int]:
        return self.failed.setdefault((step.tool, step.state), {})


class Likenesses:
    """Which texts are near duplicates."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        made = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True)
        self._vectors = made.fit_transform(self._numbers)

    def near(self, text: str, others: Sequence[str]) -> bool:
        if not others:
            return False
        rows = self._vectors[[self._numbers[other] for other in others]]
        return bool(np.max((rows @ self._vectors[self._numbers[text]].T).toarray()) >= NEAR)


def replay(cases: Sequence[Case], likenesses: Likenesses) -> Counts:
    """All cases, each with a registry of its own: what fails at one task may be right at another."""
    counts = Counts()
    for case in cases:
        _replay(case, likenesses, counts)
    return counts


def _replay(case: Case, likenesses: Likenesses, counts: Counts) -> None:
    registry, known = DeadEndRegistry(), _Known()
    seconds, any_failure = 0, False
    for number, run in enumerate(case):
        for step in run:
            seconds += 1
            at = timestamp(_BEGIN + timedelta(seconds=seconds))
            attempt = Attempt(step.tool, step.arguments, step.state, public=step.arguments)
            match = registry.match(attempt, at)
            counts.actions += 1
            counts.failures += step.failed
            counts.retries += any_failure
            _compare(step, number, match.verdict, known, likenesses, counts)
            if step.failed:
                any_failure = True
                known.of(step)[step.text] = number
            else:
                known.of(step).pop(step.text, None)
            if match.verdict == "refused":
                continue
            if step.failed:
                registry.register(attempt, reason=step.reason, at=at, source="tool", session=str(number))
            else:
                registry.succeeded(attempt, at=at, session=str(number))


def _compare(
    step: Step, run: int, verdict: str, known: _Known, likenesses: Likenesses, counts: Counts
) -> None:
    passed, failed = verdict != "refused", known.of(step)
    counts.refused += not passed
    counts.told += verdict == "told"
    counts.refused_wrongly += not passed and not step.failed
    if step.text in failed:
        counts.repeats_in_run += failed[step.text] == run
        counts.repeats_across += failed[step.text] != run
        counts.exact_passed += passed
    elif step.failed and likenesses.near(step.text, list(failed)):
        counts.near_failures += 1
        counts.near_passed += passed
