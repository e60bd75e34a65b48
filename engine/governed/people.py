"""Raises interventions: told, asked or refused (Design: the human loop)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bpmn.timers import parse_duration
from engine.events import EventType
from engine.governed.activity_run import ActivityRun
from engine.informing import inform
from engine.instance import Instance
from engine.spiff.task import DrivenTask
from governance.human_loop.detector import Verdict
from governance.human_loop.intervention import Decision, Intervention, Kind
from governance.human_loop.passing_on import escalate
from governance.policy import Policy
from governance.ports import timestamp
from governance.snapshots.canonical import canonical, digest
from governance.vocabulary import InteractionLevel, Trigger


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
        intervention = Intervention(
            id=f"{instance.id}-{instance.raised}",
            instance=instance.id,
            trigger=verdict.trigger,
            level=verdict.level,
            kind=kind,
            element=task.element_id or task.task_spec.name,
            branch=task.token.branch,
            created_at=instance.at,
            message=message,
            shown=dict(shown),
            shown_hash=digest(canonical(dict(shown))),
            options=tuple(options),
            **self._terms(policy, options),
        )
        run.holds.append(intervention.id)
        instance.put_intervention(intervention, task.id)
        self._log(intervention)

    def ask_about_system(self, shown: Mapping[str, Any], policy: Policy) -> Intervention:
        """Ask about a change of SYSTEM: it concerns the whole instance, and no token waits for it."""
        message = f"{shown['asked_by']} wants to change {shown['name']} in SYSTEM"
        level, element = InteractionLevel.EXPLICIT_APPROVAL, self._instance.index.main.id
        return self._ask_of_instance("system_write", shown, element, level, message, policy)

    def ask_about_operation(
        self, shown: Mapping[str, Any], element: str, level: InteractionLevel, message: str, policy: Policy
    ) -> Intervention:
        """Ask about what an operator wants to do; no token waits for it."""
        return self._ask_of_instance("operation", shown, element, level, message, policy)

    def _ask_of_instance(
        self,
        kind: Kind,
        shown: Mapping[str, Any],
        element: str,
        level: InteractionLevel,
        message: str,
        policy: Policy,
    ) -> Intervention:
        instance = self._instance
        instance.raised += 1
        intervention = Intervention(
            id=f"{instance.id}-{instance.raised}",
            instance=instance.id,
            trigger=Trigger.RUNTIME,
            level=level,
            kind=kind,
            element=element,
            created_at=instance.at,
            message=message,
            shown=dict(shown),
            shown_hash=digest(canonical(dict(shown))),
            **self._terms(policy, ("approve", "deny")),
        )
        instance.put_intervention(intervention)
        self._log(intervention)
        return intervention

    def _terms(self, policy: Policy, options: Sequence[Decision]) -> dict[str, Any]:
        """Who may answer, and by when; the stated default counts where it is one of the options."""
        approval = policy.approval
        due = parse_duration(approval.due).after(self._instance.workflow.now) if approval.due else None
        return {
            "roles": approval.roles,
            "four_eyes": approval.four_eyes,
            "due": None if due is None else timestamp(due),
            "default": approval.default if due is not None and approval.default in options else None,
            "escalate_to": approval.escalate_to if due is not None else None,
        }

    def _log(self, intervention: Intervention) -> None:
        self._instance.log.add(
            EventType.INTERVENTION_RAISED,
            intervention.element,
            intervention.branch,
            id=intervention.id,
            trigger=intervention.trigger.value,
            level=intervention.level.value,
            kind=intervention.kind,
            message=intervention.message,
            shown_hash=intervention.shown_hash,
        )
        inform(self._instance.log, self._instance.index, intervention.element, intervention.branch, "asked")

    def delegated(self, changed: Intervention) -> None:
        """Somebody handed a question on."""
        given = changed.delegations[-1]
        self._put(changed, EventType.INTERVENTION_DELEGATED, by=given.by, to=given.to, reason=given.reason)

    def escalate(self, asked: Intervention) -> None:
        """Nobody answered in time: somebody else is asked too."""
        changed = escalate(asked, self._instance.at)
        self._put(changed, EventType.INTERVENTION_ESCALATED, to=changed.escalate_to, due=changed.due)

    def _put(self, changed: Intervention, event: EventType, **data: Any) -> None:
        self._instance.put_intervention(changed, self._instance.held[changed.id])
        self._instance.log.add(event, changed.element, changed.branch, id=changed.id, **data)

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

    def refuse(self, task: DrivenTask, verdict: Verdict, message: str) -> None:
        """Refused without asking anybody: that is on record."""
        self._instance.log.add(
            EventType.REFUSED,
            task.element_id or task.task_spec.name,
            task.token.branch,
            trigger=verdict.trigger.value,
            level=verdict.level.value,
            message=message,
        )

    def answered(self, run: ActivityRun) -> list[Intervention]:
        """The closed interventions a run waited for, oldest first; they hold it no longer."""
        closed = [self._instance.interventions[id] for id in run.holds]
        run.holds.clear()
        return closed
