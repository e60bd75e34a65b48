"""Moves one instance from a wait state to the next (Design: one transaction per advance).

An advance applies what came from outside, lets the tokens move until all wait, and commits. Transitions happen here,
on one thread; the work of services and agents is done between advances by a `Workshop`.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Any, Protocol

from engine.activities.work import BpmnErrorRaised, Outcome, Suspended
from engine.events import EventType
from engine.governed.activity_run import ActivityRun, Phase
from engine.governed.chains import Thought
from engine.governed.chat_turns import ChatTurns
from engine.governed.contexts import Contexts
from engine.governed.dead_ends import DeadEndReached
from engine.governed.hooks import GovernedHooks
from engine.governed.pipeline import completed
from engine.governed.refusals import Refused
from engine.governed.tool_desk import heard, purged
from engine.governed.tools_from_outside import ToolsFromOutside
from engine.instance import Incident, Instance
from engine.post import Post
from engine.spiff.driven import DrivenActivity, try_again
from engine.spiff.events import broadcast
from engine.spiff.loops import DrivenMultiInstance
from engine.spiff.messages import Message, NotAwaited, receiving
from engine.spiff.stall import why_stalled
from engine.spiff.task import DONE, DrivenTask
from engine.status import Status
from governance.human_loop.intervention import Intervention, expire, withdraw
from governance.ports import Clock
from governance.vocabulary import Producer

_MOST_REASONS = 3


class Committer(Protocol):
    """Where advances go: the store, or nowhere."""

    def commit(self, instance: Instance) -> None:
        """Make the advance durable, all of it or nothing."""
        ...


class Advancing:
    """The advances of one instance."""

    def __init__(self, instance: Instance, hooks: GovernedHooks, clock: Clock, committer: Committer) -> None:
        self.instance, self.hooks = instance, hooks
        self._clock, self._committer = clock, committer
        instance.spending.now = clock.now
        self._contexts = Contexts(instance, hooks)
        self._chat_turns = ChatTurns(instance, hooks)

    def move(self) -> Status:
        """Let the tokens move, then commit."""
        return self._advance(self._expire)

    def complete_jobs(self, results: Sequence[tuple[int, Outcome | Thought | Exception]]) -> Status:
        """Results of work done outside, in the order of their tasks; what came too late is dropped."""

        def apply() -> None:
            for task_id, result in sorted(results, key=lambda pair: pair[0]):
                task = self.instance.jobs.get(task_id)
                if task is None or task._state & DONE:
                    continue
                self.instance.touch(task)
                if isinstance(result, Thought):
                    self._go_on(task, result)
                else:
                    self._finish(task, self._settle(task, result))

        return self._advance(apply)

    def complete_work_item(self, task_id: int, outputs: dict[str, Any], by: str) -> Status:
        """A person did a user or manual task."""

        def apply() -> None:
            item = self.instance.work_items[task_id]
            task = self._live(task_id)
            self.instance.put_work_item(completed(item, by, self.instance.at, outputs))
            self.instance.log.add(EventType.WORK_ITEM_COMPLETED, item.element, item.branch, id=item.id, by=by)
            outcome = Outcome(outputs=outputs, confidence=1.0, producer=Producer.HUMAN, decision=f"done by {by}")
            self._finish(task, self._attempt(task, lambda: self.hooks.pipeline.complete(task, outcome)))

        return self._advance(apply)

    def correlate(self, name: str, payload: Mapping[str, Any], key: Any = None) -> Status:
        """A message from outside. Raises NotAwaited."""

        def apply() -> None:
            message = Message(name, (("message", name),), payload, key)
            receiver = self.instance.workflow.mailbox.deliver(message)
            if receiver is None:
                awaited = self.instance.workflow.event_manager.topics("message")
                raise NotAwaited(name, awaited, key)
            self._received(receiver, message)

        return self._advance(apply)

    def can_receive(self, post: Post, message: Message) -> bool:
        """Whether something in the instance waits for what another one threw."""
        manager = self.instance.workflow.event_manager
        waiting = [task for topic in post.topics for task in manager.waiting_for(topic)]
        if post.kind == "signal":
            return bool(waiting)
        return any(receiving(task, message) is not None for task in waiting)

    def receive(self, post: Post, message: Message) -> Status:
        """Take in what another instance threw."""
        return self._advance(lambda: self._take(post, message))

    def signal(self, post: Post) -> Status:
        """A signal from outside."""
        return self._advance(lambda: self._broadcast(post))

    def begin(self, post: Post, message: Message) -> Status:
        """A new instance comes to its start event, and gets what it waits for, in one advance."""

        def apply() -> None:
            self.instance.workflow.settle()
            self._take(post, message)

        return self._advance(apply)

    def _broadcast(self, post: Post) -> None:
        broadcast(self.instance.workflow, post.topics[0], post.payload)

    def _take(self, post: Post, message: Message) -> None:
        self.instance.changes.taken.append(post.id)
        if post.kind == "signal":
            self._broadcast(post)
            return
        receiver = self.instance.workflow.mailbox.deliver(message)
        assert receiver is not None
        self._received(receiver, message)

    def _received(self, receiver: DrivenTask, message: Message) -> None:
        self.instance.log.add(
            EventType.MESSAGE_RECEIVED, receiver.element_id, receiver.token.branch, message=message.name
        )

    def close_intervention(self, closed: Intervention) -> Status:
        """A person answered, or the time to answer is over."""

        def apply() -> None:
            self._close(closed)

        return self._advance(apply)

    def delegate(self, changed: Intervention) -> Status:
        """Somebody handed an intervention on; its token waits as before."""
        return self._advance(lambda: self.hooks.people.delegated(changed))

    def retry(self, task_id: int) -> Status:
        """Give a failed element another try."""

        def apply() -> None:
            task = self._live(task_id)
            run: ActivityRun = task.activity
            if run.heads:
                self._merged(task, self._attempt(task, lambda: self.hooks.joining.retry(task)))
            elif isinstance(task.task_spec, DrivenActivity):
                self._finish(task, self._attempt(task, lambda: self.hooks.pipeline.retry(task)))
            else:
                self._again(task)

        return self._advance(apply)

    def restore_context(self, snapshot: str, branch: str | None, by: str) -> Status:
        """Put a token's context back to an earlier snapshot. Raises UnknownBranch, UnknownSnapshot."""

        def apply() -> None:
            for task in self._contexts.restore(snapshot, branch, by):
                if isinstance(task.task_spec, DrivenActivity) and isinstance(task.activity, ActivityRun):
                    self._finish(task, self._attempt(task, partial(self.hooks.pipeline.ask_anew, task)))

        return self._advance(apply)

    def use_tool(self, tool: str, arguments: Mapping[str, Any], branch: str | None, by: str) -> dict[str, Any]:
        """Call one of governance's tools on a branch. Raises UnknownBranch, ToolRefused."""
        told: dict[str, Any] = {}
        tools = ToolsFromOutside(self.instance, self.hooks, self._contexts)
        self._advance(lambda: told.update(tools.use(tool, arguments, branch, by)))
        return told

    def chat_turn(self, text: str, by: str, branch: str | None) -> Status:
        """Somebody says something into the process. Raises UnknownBranch."""
        return self._advance(lambda: self._chat_turns.say(text, by, branch))

    def ask_for_system(self, name: str, value: Any, by: str) -> Status:
        """Ask for a change of SYSTEM. Raises LayerRefused."""

        def apply() -> None:
            self._contexts.ask_for_system(name, value, by)

        return self._advance(apply)

    def _advance(self, apply: Callable[[], None]) -> Status:
        instance = self.instance
        with _undisturbed_memory():
            instance.freeze_time(self._now())
            apply()
            instance.workflow.settle()
            self._conclude()
        self._committer.commit(instance)
        return instance.status

    def _now(self) -> datetime:
        """The clock's time, never before the last advance's: stamps must not go backwards along a branch."""
        return max(self._clock.now(), self.instance.workflow.now)

    def _settle(self, task: DrivenTask, result: Outcome | Exception) -> bool | None:
        result = self.hooks.refusal(task, result) or result
        if isinstance(result, Outcome):
            return self._attempt(task, lambda: self.hooks.pipeline.complete(task, result))
        if isinstance(result, BpmnErrorRaised):
            self.hooks.pipeline.bpmn_error(task, result)
            return None
        if isinstance(result, Refused):
            self.hooks.pipeline.refuse(task, result)
            return None
        if isinstance(result, Suspended):
            self.hooks.pipeline.suspend(task)
            return None
        if isinstance(result, DeadEndReached):
            self.hooks.pipeline.dead_end(task, result)
            return None
        self.hooks.pipeline.failed(task, result)
        return None

    def _go_on(self, task: DrivenTask, thought: Thought) -> None:
        """A model has thought about what a task waits before."""
        if task.activity.phase is Phase.MERGE:
            self._merged(task, self._attempt(task, lambda: self.hooks.joining.thought(task, thought)))
        else:
            self._finish(task, self._attempt(task, lambda: self.hooks.pipeline.thought(task, thought)))

    def _close(self, closed: Intervention) -> None:
        task_id = self.instance.held[closed.id]
        self.instance.put_intervention(closed)
        answer = closed.answer
        assert answer is not None
        self.instance.log.add(
            EventType.INTERVENTION_ANSWERED,
            closed.element,
            closed.branch,
            id=closed.id,
            decision=answer.decision,
            by=answer.by,
            reason=answer.reason,
            status=closed.status,
        )
        if task_id is None:
            self._contexts.settle_system(closed)
            return
        task = self._live(task_id)
        if heard(task.activity, closed):
            self.instance.put_intervention(purged(closed))
        self._resume(task)

    def _expire(self) -> None:
        """Interventions whose time is over go to somebody else, or are closed by their stated default."""
        instance = self.instance
        for id in instance.held.due_by(instance.at):
            asked = instance.interventions[id]
            if asked.escalates:
                self.hooks.people.escalate(asked)
            else:
                self._close(expire(asked, instance.at))

    def _resume(self, task: DrivenTask) -> None:
        run: ActivityRun = task.activity
        if any(id in self.instance.held for id in run.holds):
            return
        if run.phase is Phase.MERGE:
            self._merged(task, self._attempt(task, lambda: self.hooks.joining.resume(task)))
        else:
            self._finish(task, self._attempt(task, lambda: self.hooks.pipeline.resume(task)))

    def _attempt(self, task: DrivenTask, step: Callable[[], bool | None]) -> bool | None:
        """What raises here is an incident, as it is where the element runs for the first time."""
        try:
            return step()
        except Exception as error:
            return self.hooks.failed(task, error)

    def _finish(self, task: DrivenTask, done: bool | None) -> None:
        if done and not task._state & DONE:
            task.complete()

    def _merged(self, task: DrivenTask, done: bool | None) -> None:
        if not done:
            return
        if isinstance(task.task_spec, DrivenMultiInstance):
            self.hooks.instances.collect(task)
        else:
            task.data = self.hooks.view(task.token)
        task._ready()

    def _again(self, task: DrivenTask) -> None:
        """Once more for a gateway or an event that failed."""
        self.instance.incidents.pop(task.id, None)
        task.activity = None
        self.instance.log.add(EventType.INCIDENT_RESOLVED, task.element_id, task.token.branch, how="retry")
        try_again(task)

    def _live(self, task_id: int) -> DrivenTask:
        task = self.instance.task(task_id)
        assert task is not None, f"task {task_id} is not live"
        self.instance.touch(task)
        return task

    def _conclude(self) -> None:
        """What the instance is now waiting for, if anything."""
        instance, workflow = self.instance, self.instance.workflow
        before = instance.status
        instance.reason = None
        if workflow.completed:
            instance.status = Status.COMPLETED
            for id in list(instance.held):
                instance.put_intervention(withdraw(instance.interventions[id]))
        elif instance.jobs:
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
            instance.log.add(kind, reason=instance.reason)


_FINAL = {
    Status.COMPLETED: EventType.INSTANCE_COMPLETED,
    Status.STALLED: EventType.INSTANCE_STALLED,
    Status.FAILED: EventType.INSTANCE_FAILED,
}


def _told(incidents: Iterable[Incident]) -> str:
    """The first incidents, and how many more there are."""
    reasons = list(dict.fromkeys(f"{each.element}: {each.error}" for each in incidents))
    more = f"; and {len(reasons) - _MOST_REASONS} more" if len(reasons) > _MOST_REASONS else ""
    return "; ".join(reasons[:_MOST_REASONS]) + more


@contextmanager
def _undisturbed_memory() -> Iterator[None]:
    """Collect no garbage during an advance: what it makes lives, without cycles; looking at it is a sixth of the cost.

    For the same reason its objects count as old when it is over, unless the host keeps frozen ones of its own.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
        if enabled:
            gc.enable()
