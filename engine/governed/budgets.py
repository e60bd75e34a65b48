"""Hard budgets of tokens, cost and time: a model call that they do not allow waits for a person (Design: budget)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bpmn.definition import Element
from engine.activities.work import Suspended
from engine.chains.thinker import Row
from engine.events import EventType
from engine.governed.activity_run import ActivityRun
from engine.governed.people import People
from engine.governed.raising import raise_of
from engine.instance import Instance
from engine.spiff.events import throw_error
from engine.spiff.task import DrivenTask
from governance.budgets import Pool, reached
from governance.budgets import raised as raised_by
from governance.chains.thinker import ThinkerFailed
from governance.human_loop.detector import Verdict
from governance.human_loop.intervention import Intervention
from governance.policy import Budget, Limits, Policy
from governance.vocabulary import InteractionLevel, Trigger

BUDGET_EXCEEDED: Final = "BUDGET_EXCEEDED"
"""Code of the BPMN error that is thrown where nobody raises a budget."""


class Budgets:
    """Of one instance: each activity run has its own, and all of them share the instance's and the tenant's."""

    def __init__(self, instance: Instance, people: People) -> None:
        self._instance, self._people = instance, people

    def require(self, task: DrivenTask, run: ActivityRun, element: Element) -> None:
        """Raises Suspended where a pool is used up: a person was asked, and the model is not called."""
        for name, pool, limits in self._pools(run, element.resolved.policy.budget):
            told = reached(limits, pool)
            if told:
                self._ask(task, run, element, name, pool, limits, told)
                raise Suspended(element.id)

    def charge(self, run: ActivityRun, call: int, answer: Mapping[str, Any], minutes: float) -> None:
        """What a model call took, once: an attempt that is done over comes by the same calls again."""
        if call < run.charged:
            return
        run.charged = call + 1
        self._spend(run, answer, minutes)

    def think(self, run: ActivityRun, policy: Policy, key: str, kept: Row | None, ask: Callable[[], Row]) -> Row:
        """What a model says of a context, paid once by the activity that it is for; `kept` from an earlier time.

        Raises ThinkerFailed where a pool is used up: the chain's rule goes on without a model.
        """
        begun, row = self._instance.spending.now(), kept
        if row is None:
            told = (reached(limits, pool) for _, pool, limits in self._pools(run, policy.budget))
            if used_up := next(filter(None, told), None):
                raise ThinkerFailed(f"the budget is used up: {used_up}")
            row = ask()
        if key not in run.thoughts:
            run.thoughts.append(key)
            self._spend(run, row, (self._instance.spending.now() - begun).total_seconds() / 60)
        return row

    def _spend(self, run: ActivityRun, answer: Mapping[str, Any], minutes: float) -> None:
        tokens = int(answer.get("tokens_in") or 0) + int(answer.get("tokens_out") or 0)
        cost = float(answer.get("cost") or 0.0)
        changes = self._instance.changes
        changes.spent = changes.spent.plus(tokens, cost, minutes)
        spending = self._instance.spending
        spending.used = spending.used.plus(tokens, cost, minutes)
        run.spent = [*Pool(*run.spent).plus(tokens, cost, minutes)]

    def check(self, closed: Intervention) -> None:
        """Whether what is to be raised can be. Raises WrongRaise."""
        if closed.kind == "budget" and closed.answer is not None and closed.answer.decision == "approve":
            raise_of(closed, self._instance.spending.tenant)

    def settle(self, task: DrivenTask, run: ActivityRun, closed: Intervention) -> bool:
        """Raise what a person raised. False: they did not."""
        answer = closed.answer
        assert answer is not None
        assert isinstance(closed.shown, Mapping)
        if answer.decision != "approve":
            return False
        name = str(closed.shown["budget"])
        given = raise_of(closed, self._instance.spending.tenant)
        if name == "tenant":
            self._instance.changes.raises.append(given)
        else:
            raises = run.raised if name == "activity" else self._instance.spending.raised
            raises[name] = raises.get(name, 0) + 1
        amount = given.amount.model_dump(exclude_none=True)
        told = {name: said for name, said in (("reason", given.reason), ("until", given.until)) if said}
        self._instance.log.add(
            EventType.BUDGET_RAISED, task.element_id, task.token.branch, budget=name, by=given.by, **amount, **told
        )
        return True

    def exceeded(self, task: DrivenTask) -> bool:
        """Throw the error at the activity. False: nothing catches it."""
        return throw_error(task, BUDGET_EXCEEDED, None, {})

    def _pools(self, run: ActivityRun, budget: Budget) -> list[tuple[str, Pool, Limits]]:
        instance = self._instance
        raised = {**instance.spending.raised, **run.raised}
        pools = [
            ("activity", Pool(*run.spent), budget.activity),
            ("instance", instance.spending.used, instance.index.main.policy.policy.budget.instance),
        ]
        if instance.spending.tenant.line:
            # Others spend at the same time: what they committed is asked for each time.
            everything = instance.spending.tenant_used().plus(*instance.changes.spent)
            told = [*instance.spending.raises(), *instance.changes.raises]
            pools.append(("tenant", everything, raised_by(instance.spending.tenant, told, instance.at)))
        return [(name, pool, limits.times(1 + raised.get(name, 0))) for name, pool, limits in pools]

    def _again(self, name: str, element: Element) -> Limits:
        """By how much a pool is raised where nobody says."""
        if name == "tenant":
            return self._instance.spending.tenant
        budget = element.resolved.policy.budget
        return budget.activity if name == "activity" else self._instance.index.main.policy.policy.budget.instance

    def _ask(
        self, task: DrivenTask, run: ActivityRun, element: Element, name: str, pool: Pool, limits: Limits, told: str
    ) -> None:
        verdict = Verdict(Trigger.RUNTIME, InteractionLevel.EXPLICIT_APPROVAL, (told,))
        shown = {
            "budget": name,
            "spent": {field: round(value, 6) for field, value in pool._asdict().items()},
            "limits": limits.model_dump(exclude_none=True),
            "again": self._again(name, element).model_dump(exclude_none=True),
        }
        message = f"the budget of the {name} is used up: {told}; approve to raise it by as much again"
        if name == "tenant":
            message += ", or by what you say"
        self._people.ask(task, run, verdict, "budget", message, shown, policy=element.resolved.policy)
