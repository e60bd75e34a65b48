"""Raises interventions: told, asked or refused (Design: the human loop)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.events import EventType
from engine.governed.activity_run import ActivityRun
from engine.instance import Instance
from engine.spiff.task import DrivenTask
from governance.human_loop.detector import Verdict
from governance.human_loop.intervention import Decision, Intervention, Kind
from governance.policy import Policy


class People:
    """Between a step of governance and the inbox."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance

    def ask(
        self,
        task: DrivenTask,
        run: ActivityRun,
        verdict: Verdict,
        kind: Kind,
        message: str,
        shown: Mapping[str, Any],
        *,
        policy: Policy,
        options: Sequence[Decision] = ("approve", "deny"),
    ) -> None:
        """Hold the token with a durable intervention."""
        instance = self._instance
        instance.raised += 1
        intervention = Intervention.model_validate(
            {
                "id": f"{instance.id}-{instance.raised}",
                "instance": instance.id,
                "trigger": verdict.trigger,
                "level": verdict.level,
                "kind": kind,
                "element": task.element_id or task.task_spec.name,
                "branch": task.token.branch,
                "created_at": instance.at,
                "message": message,
                "shown": dict(shown),
                "options": tuple(options),
                "default": policy.approval.default if policy.approval.due else None,
                "roles": policy.approval.roles,
                "four_eyes": policy.approval.four_eyes,
            }
        )
        run.holds.append(intervention.id)
        instance.put_intervention(intervention, task.id)
        instance.log.add(
            EventType.INTERVENTION_RAISED,
            intervention.element,
            intervention.branch,
            id=intervention.id,
            trigger=intervention.trigger.value,
            level=intervention.level.value,
            kind=kind,
            message=message,
        )

    def tell(self, task: DrivenTask, verdict: Verdict, message: str, **data: Any) -> None:
        """A suggestion: logged and shown, the token goes on."""
        self._instance.log.add(
            EventType.NOTICE,
            task.element_id or task.task_spec.name,
            task.token.branch,
            trigger=verdict.trigger.value,
            level=verdict.level.value,
            message=message,
            **data,
        )

    def answered(self, run: ActivityRun) -> list[Intervention]:
        """The closed interventions a run waited for, oldest first; they hold it no longer."""
        closed = [self._instance.interventions[id] for id in run.holds]
        run.holds.clear()
        return closed
