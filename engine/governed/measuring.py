"""Attention of a token's context, measured without side effects (Design: attention)."""

from __future__ import annotations

from typing import Any

from engine.governed.open_writes import OpenWrites
from engine.governed.services import Services
from engine.governed.token import Token
from engine.instance import Instance
from governance.attention.report import AttentionInputs, AttentionReport
from governance.policy import Policy


class Measuring:
    """Gathers what the detector needs; every part is kept incrementally, so a look costs the same at any size."""

    def __init__(self, instance: Instance, services: Services, open_writes: OpenWrites) -> None:
        self._instance, self._services, self._open_writes = instance, services, open_writes

    def measure(self, token: Token, policy: Policy) -> AttentionReport:
        return self._services.attention.detect(
            self._instance.graph.contents(token.head),
            AttentionInputs(
                scope=token.scope,
                working_threshold=policy.working_threshold,
                branches=self._branches(),
                conflicts=(self._open_writes.conflicting, self._open_writes.written),
            ),
        )

    def _branches(self) -> tuple[int, int]:
        """Active and all leaf branches of open splits; none are open while there is one token."""
        census = self._instance.workflow.census
        total = census.active + census.idle
        return (census.active, total) if total > 1 else (0, 0)


def brief(report: AttentionReport) -> list[Any]:
    """A report in an event: score, the five dimensions in the design's order, and the action."""
    vector = report.vector
    dimensions = (vector.capacity, vector.duplication, vector.knowledge, vector.branch, vector.conflict)
    return [round(report.score, 4), [round(value, 4) for value in dimensions], report.action.value]
