"""Attention of a token's context, measured without side effects (Design: attention)."""

from __future__ import annotations

from functools import lru_cache

from engine.governed.open_writes import OpenWrites
from engine.governed.services import Services
from engine.governed.token import Token
from engine.instance import Instance
from governance.attention.bands import suggest_action
from governance.attention.dimensions import weighted_score
from governance.attention.report import AttentionInputs, AttentionReport, AttentionVector
from governance.policy import Policy
from governance.snapshots.model import made

_NONE = (0, 0)


class Measuring:
    """Gathers what the detector needs; every part is kept incrementally, so a look costs the same at any size."""

    def __init__(self, instance: Instance, services: Services, open_writes: OpenWrites) -> None:
        self._instance, self._services, self._open_writes = instance, services, open_writes

    def measure(
        self, token: Token, policy: Policy, knowledge: tuple[float, float] | None = None
    ) -> AttentionReport:
        """`knowledge` is (mean confidence, share cited) of what the activity run was offered, None: nothing."""
        census, writes = self._instance.workflow.census, self._open_writes
        # Where no branch waits, and no key is in conflict, it makes no difference how many there are.
        total = census.active + census.idle if census.idle else 0
        # Active and all leaf branches of open splits; none are open while there is one token.
        branches = (census.active, total) if total > 1 else _NONE
        conflicts = (writes.conflicting, writes.written) if writes.conflicting else _NONE
        inputs = made(AttentionInputs, (policy.working_threshold, token.scope, knowledge, branches, conflicts))
        return self._services.attention.detect(self._instance.graph.standing(token.head), inputs)


def own_action(report: AttentionReport) -> str:
    """What a report asks of the next D1 of its token.

    Its branch and conflict dimensions tell of other tokens, which may be there or not by then: counted in, they
    would make a context depend on the order in which branches get on. They stand in the report, and raise
    interventions.
    """
    capacity, duplication, knowledge, *_ = report.vector
    return _own_action(capacity, duplication, knowledge)


@lru_cache(maxsize=1024)
def _own_action(capacity: float, duplication: float, knowledge: float) -> str:
    return suggest_action(weighted_score(AttentionVector(capacity, duplication, knowledge, 1.0, 1.0))).value


@lru_cache(maxsize=1024)
def brief(report: AttentionReport) -> tuple[float, tuple[float, ...], str]:
    """A report in an event: score, the five dimensions in the design's order, and the action."""
    return short(report.score), tuple([short(value) for value in report.vector]), str(report.action)


def short(value: float) -> float:
    """To four decimal places. By way of an integer, for `round` to places goes by way of text."""
    return round(value * 10_000) / 10_000
