"""Why an instance that cannot move any more cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from SpiffWorkflow.util.task import TaskState

from engine.spiff.joins import DrivenEndJoin, DrivenJoin, DrivenParallelJoin
from engine.spiff.quantities import DrivenStartQuantity
from engine.spiff.task import DrivenTask
from engine.spiff.workflow import DrivenWorkflow


def why_stalled(workflow: DrivenWorkflow) -> str:
    """Which joins wait for tokens that can never come (BPMN 2.0, 13.3.2)."""
    reasons = []
    for scope in workflow.scopes():
        for task in scope.live.values():
            spec: Any = task.task_spec
            waits = task._state == TaskState.WAITING and isinstance(spec, DrivenJoin)
            if waits and isinstance(spec, DrivenStartQuantity):
                here = sum(len(queue) for queue in scope.arrivals.get(spec.name, {}).values())
                reasons.append(f"{spec.bpmn_id} has {here} of {spec.quantity} tokens to begin with")
            elif waits and not isinstance(spec, DrivenEndJoin):
                reasons.append(_missing(scope.arrivals.get(spec.name, {}), spec))
    found = "; ".join(sorted(set(reasons)))
    return found or "no token can move, and nothing that could come from outside is awaited"


def _missing(queues: Mapping[str, Sequence[DrivenTask]], join: Any) -> str:
    arrived = sorted(name for name, queue in queues.items() if queue)
    inputs = join.needed if isinstance(join, DrivenParallelJoin) else join._inputs
    awaited = sorted(name for name in inputs if name not in arrived)
    return (
        f"{join.name} has a token from {', '.join(arrived)} and waits for one from {', '.join(awaited)}, "
        "which no token can reach"
    )
