"""The steps of an advance that are about one task: what its work came to, what people said, another try."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.activities.work import BpmnErrorRaised, Outcome, Suspended
from engine.events import EventType
from engine.governed.activity_run import ActivityRun, Phase
from engine.governed.chains import Thought
from engine.governed.contexts import Contexts
from engine.governed.dead_ends import DeadEndReached
from engine.governed.hooks import GovernedHooks
from engine.governed.offering import completed
from engine.governed.refusals import Refused
from engine.governed.tool_desk import heard, purged, take_changed
from engine.instance import Instance
from engine.spiff.driven import DrivenActivity, try_again
from engine.spiff.loops import DrivenMultiInstance
from engine.spiff.task import DONE, DrivenTask
from governance.human_loop.intervention import Intervention, expire
from governance.vocabulary import Producer


class Steps:
    """Changes to the tasks of one instance, inside an advance. What raises where an element runs is an incident."""

    def __init__(
        self, instance: Instance, hooks: GovernedHooks, contexts: Contexts, settle: Callable[[Intervention], None]
    ) -> None:
        """`settle` does what an answer decided that no token waits for."""
        self._instance, self._hooks, self._contexts, self._settle_whole = instance, hooks, contexts, settle

    def worked(self, results: Sequence[tuple[int, Outcome | Thought | Exception]]) -> None:
        """Results of work done outside, in the order of their tasks; what came too late is dropped."""
        for task_id, result in sorted(results, key=lambda pair: pair[0]):
            task = self._instance.jobs.get(task_id)
            if task is None or task._state & DONE:
                continue
            self._instance.touch(task)
            if isinstance(result, Thought):
                self._go_on(task, result)
            else:
                self.finish(task, self._settle(task, result))

    def done_by_person(self, task_id: int, outputs: dict[str, Any], by: str) -> None:
        """A person did a user or manual task."""
        item = self._instance.work_items[task_id]
        task = self._live(task_id)
        self._instance.put_work_item(completed(item, by, self._instance.at, outputs))
        self._instance.log.add(EventType.WORK_ITEM_COMPLETED, item.element, item.branch, id=item.id, by=by)
        outcome = Outcome(outputs=outputs, confidence=1.0, producer=Producer.HUMAN, decision=f"done by {by}")
        self.finish(task, self.attempt(task, lambda: self._hooks.pipeline.complete(task, outcome)))

    def retry(self, task_ids: Sequence[int], who: Mapping[str, str]) -> None:
        """Give failed elements another try; one that another has cancelled meanwhile is left out.

        `who` goes on record with it.
        """
        for task_id in task_ids:
            if task_id in self._instance.incidents:
                task = self._live(task_id)
                element = self._instance.incidents.pop(task_id).element
                self._instance.log.add(EventType.INCIDENT_RESOLVED, element, task.token.branch, how="retry", **who)
                self._retry(task)

    def _retry(self, task: DrivenTask) -> None:
        run: ActivityRun = task.activity
        if run.heads:
            self._merged(task, self.attempt(task, lambda: self._hooks.joining.retry(task)))
        elif isinstance(task.task_spec, DrivenActivity):
            self.finish(task, self.attempt(task, lambda: self._hooks.pipeline.retry(task)))
        else:
            self._again(task)

    def restore(self, snapshot: str, branch: str | None, by: str) -> None:
        """Put a token's context back to an earlier snapshot. Raises UnknownBranch, UnknownSnapshot."""
        for task in self._contexts.restore(snapshot, branch, by):
            self.ask_anew(task)

    def ask_anew(self, task: DrivenTask) -> None:
        """The context was changed under what people are asked about it."""
        if isinstance(task.task_spec, DrivenActivity) and isinstance(task.activity, ActivityRun):
            self.finish(task, self.attempt(task, lambda: self._hooks.pipeline.ask_anew(task)))

    def close(self, closed: Intervention) -> None:
        """A person answered, or the time to answer is over."""
        task_id = self._instance.held[closed.id]
        self._instance.put_intervention(closed)
        answer = closed.answer
        assert answer is not None
        self._instance.log.add(
            EventType.INTERVENTION_ANSWERED,
            closed.element,
            closed.branch,
            id=closed.id,
            decision=answer.decision,
            by=answer.by,
            reason=answer.reason,
            status=closed.status,
            shown_hash=answer.shown_hash,
        )
        if task_id is None:
            self._settle_whole(closed)
            return
        task = self._live(task_id)
        if heard(task.activity, closed):
            take_changed(self._instance, task, closed)
            self._instance.put_intervention(purged(closed))
        self._resume(task)

    def expire(self) -> None:
        """Interventions whose time is over go to somebody else, or are closed by their stated default."""
        instance = self._instance
        for id in instance.held.due_by(instance.at):
            asked = instance.interventions[id]
            if asked.escalates:
                self._hooks.people.escalate(asked)
            else:
                self.close(expire(asked, instance.at))

    def attempt(self, task: DrivenTask, step: Callable[[], bool | None]) -> bool | None:
        """What raises here is an incident, as it is where the element runs for the first time."""
        try:
            return step()
        except Exception as error:
            return self._hooks.failed(task, error)

    def finish(self, task: DrivenTask, done: bool | None) -> None:
        """Let the token go on from an element that is `done`."""
        if done and not task._state & DONE:
            task.complete()

    def _settle(self, task: DrivenTask, result: Outcome | Exception) -> bool | None:
        result = self._hooks.refusal(task, result) or result
        pipeline = self._hooks.pipeline
        if isinstance(result, Outcome):
            return self.attempt(task, lambda: pipeline.complete(task, result))
        if isinstance(result, BpmnErrorRaised):
            pipeline.bpmn_error(task, result)
        elif isinstance(result, Refused):
            pipeline.refuse(task, result)
        elif isinstance(result, Suspended):
            pipeline.suspend(task)
        elif isinstance(result, DeadEndReached):
            pipeline.dead_end(task, result)
        else:
            pipeline.failed(task, result)
        return None

    def _go_on(self, task: DrivenTask, thought: Thought) -> None:
        """A model has thought about what a task waits before."""
        if task.activity.phase is Phase.MERGE:
            self._merged(task, self.attempt(task, lambda: self._hooks.joining.thought(task, thought)))
        else:
            self.finish(task, self.attempt(task, lambda: self._hooks.pipeline.thought(task, thought)))

    def _resume(self, task: DrivenTask) -> None:
        run: ActivityRun = task.activity
        if any(id in self._instance.held for id in run.holds):
            return
        if run.phase is Phase.MERGE:
            self._merged(task, self.attempt(task, lambda: self._hooks.joining.resume(task)))
        else:
            self.finish(task, self.attempt(task, lambda: self._hooks.pipeline.resume(task)))

    def _merged(self, task: DrivenTask, done: bool | None) -> None:
        if not done:
            return
        if isinstance(task.task_spec, DrivenMultiInstance):
            self._hooks.instances.collect(task)
        else:
            task.data = self._hooks.view(task.token)
        task._ready()

    def _again(self, task: DrivenTask) -> None:
        """Once more for a gateway or an event that failed."""
        task.activity = None
        try_again(task)

    def _live(self, task_id: int) -> DrivenTask:
        task = self._instance.task(task_id)
        assert task is not None, f"task {task_id} is not live"
        self._instance.touch(task)
        return task
