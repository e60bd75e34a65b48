"""An activity with a start quantity begins once that many tokens have come, from wherever (BPMN 2.0, 13.3.1)."""

from __future__ import annotations

from engine.spiff.joins import DrivenJoin
from engine.spiff.task import DrivenTask


class DrivenStartQuantity(DrivenJoin):
    """The control task in front of such an activity."""

    quantity: int
    bpmn_id: str

    def take(self, my_task: DrivenTask, queues: dict[str, list[DrivenTask]]) -> list[DrivenTask]:
        waiting = sorted((task for queue in queues.values() for task in queue), key=lambda task: task.id)
        if len(waiting) < self.quantity:
            return []
        taken = waiting[: self.quantity]
        for name in list(queues):
            queues[name] = [task for task in queues[name] if task not in taken]
            if not queues[name]:
                del queues[name]
        return taken
