"""What an instance has come to at the end of an advance."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.events import EventType
from engine.instance import Incident, Instance
from engine.spiff.stall import why_stalled
from engine.status import Status
from governance.human_loop.intervention import withdraw

_MOST_REASONS: Final = 3

_FINAL: Final = {
    Status.COMPLETED: EventType.INSTANCE_COMPLETED,
    Status.STALLED: EventType.INSTANCE_STALLED,
    Status.FAILED: EventType.INSTANCE_FAILED,
}


def conclude(instance: Instance) -> None:
    """Set status and reason: what the instance is now waiting for, if anything."""
    before, workflow = instance.status, instance.workflow
    instance.reason = None
    if workflow.completed:
        instance.status = Status.COMPLETED
        for id in list(instance.held):
            instance.put_intervention(withdraw(instance.interventions[id]))
    elif instance.jobs or any(scope.ready for scope in workflow.hot.values()):
        instance.status = Status.RUNNING
    elif instance.work_items or instance.held or instance.waits_for_world:
        instance.status = Status.WAITING
    elif instance.incidents:
        instance.status = Status.FAILED
        instance.reason = _told(instance.incidents.values())
    else:
        instance.status = Status.STALLED
        instance.reason = why_stalled(workflow)
    kind = _FINAL.get(instance.status)
    if kind is not None and before is not instance.status:
        instance.log.add(kind, reason=instance.reason, head=instance.newest_head)


def _told(incidents: Iterable[Incident]) -> str:
    """The first incidents, and how many more there are."""
    reasons = list(dict.fromkeys(f"{each.element}: {each.error}" for each in incidents))
    more = f"; and {len(reasons) - _MOST_REASONS} more" if len(reasons) > _MOST_REASONS else ""
    return "; ".join(reasons[:_MOST_REASONS]) + more
