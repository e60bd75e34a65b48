"""What operators do to an instance as a whole, inside an advance; each is on record with who did it and why."""

from __future__ import annotations

from typing import Any

from engine.events import EventType
from engine.instance import Instance
from engine.status import Status
from engine.waiting import what_it_waits_for
from governance.human_loop.intervention import withdraw


class Operations:
    """Stops and ends one instance."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance

    def suspend(self, by: str, reason: str) -> None:
        """Nothing moves any more, until that is lifted."""
        instance = self._instance
        instance.status, instance.reason = Status.SUSPENDED, _told("suspended", by, reason)
        instance.log.add(EventType.INSTANCE_SUSPENDED, by=by, reason=reason)

    def unsuspend(self, by: str, reason: str) -> None:
        """It goes on where it was."""
        self._instance.status = Status.RUNNING
        self._instance.log.add(EventType.INSTANCE_UNSUSPENDED, by=by, reason=reason)

    def cancel(self, by: str, reason: str) -> None:
        """Nothing goes on, and what people were asked is withdrawn; what was going on is told."""
        instance = self._instance
        undone = under_way(instance)
        instance.workflow.abandon()
        for id in list(instance.held):
            instance.put_intervention(withdraw(instance.interventions[id]))
        instance.status, instance.reason = Status.CANCELLED, _told("cancelled", by, reason)
        instance.log.add(EventType.INSTANCE_CANCELLED, by=by, reason=reason, undone=undone)


def under_way(instance: Instance) -> list[dict[str, Any]]:
    """What an instance was about: {"kind", "element"} of what it waits for, of work handed out, and of failures."""
    waiting = [{"kind": each["kind"], "element": each["element"]} for each in what_it_waits_for(instance)]
    jobs = [{"kind": "activity", "element": task.element_id} for task in instance.jobs.values()]
    return waiting + jobs + [{"kind": "incident", "element": each.element} for each in instance.incidents.values()]


def _told(what: str, by: str, reason: str) -> str:
    return f"{what} by {by}{': ' + reason if reason else ''}"
