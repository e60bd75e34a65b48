"""Moves one instance from a wait state to the next (Design: one transaction per advance).

An advance applies what came from outside, lets the tokens move until all wait, and commits. Transitions happen here,
on one thread; the work of services and agents is done between advances by a `Workshop`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from engine.activities.work import Outcome
from engine.concluding import conclude
from engine.governed.chains import Thought
from engine.governed.chat_turns import ChatTurns
from engine.governed.contexts import Contexts
from engine.governed.hooks import GovernedHooks
from engine.governed.tools_from_outside import ToolsFromOutside
from engine.instance import Instance
from engine.operations.operating import KIND, Operating
from engine.operations.operation import Operation, OperationRefused
from engine.post import Post
from engine.receiving import Receiving
from engine.spiff.messages import Message
from engine.status import Status
from engine.steps import Steps
from engine.undisturbed import undisturbed_memory
from governance.human_loop.intervention import Intervention
from governance.ports import Clock


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
        self._receiving = Receiving(instance)
        self.steps = Steps(instance, hooks, self._contexts, self._settle)
        self.operating = Operating(instance, hooks, self._contexts, self.steps)

    def advance(self, apply: Callable[[], None]) -> Status:
        """Apply what came from outside, let the tokens move until all wait, and commit."""
        instance = self.instance
        with undisturbed_memory():
            instance.freeze_time(self._now())
            apply()
            if not instance.status.halted:
                instance.workflow.settle()
                conclude(instance)
        self._committer.commit(instance)
        return instance.status

    def move(self) -> Status:
        """Let the tokens move, then commit."""
        return self.advance(self.steps.expire)

    def complete_jobs(self, results: Sequence[tuple[int, Outcome | Thought | Exception]]) -> Status:
        """Results of work done outside, in the order of their tasks; what came too late is dropped."""
        return self.advance(lambda: self.steps.worked(results))

    def complete_work_item(self, task_id: int, outputs: dict[str, Any], by: str) -> Status:
        """A person did a user or manual task."""
        return self.advance(lambda: self.steps.done_by_person(task_id, outputs, by))

    def correlate(self, name: str, payload: Mapping[str, Any], key: Any = None) -> Status:
        """A message from outside. Raises NotAwaited."""
        return self.advance(lambda: self._receiving.deliver(name, payload, key))

    def can_receive(self, post: Post, message: Message) -> bool:
        """Whether something in the instance waits for what another one threw."""
        return self._receiving.accepts(post, message)

    def receive(self, post: Post, message: Message) -> Status:
        """Take in what another instance threw."""
        return self.advance(lambda: self._receiving.take(post, message))

    def signal(self, post: Post) -> Status:
        """A signal from outside."""
        return self.advance(lambda: self._receiving.broadcast(post))

    def begin(self, post: Post, message: Message) -> Status:
        """A new instance comes to its start event, and gets what it waits for, in one advance."""

        def apply() -> None:
            self.instance.workflow.settle()
            self._receiving.take(post, message)

        return self.advance(apply)

    def close_intervention(self, closed: Intervention) -> Status:
        """A person answered, or the time to answer is over."""
        return self.advance(lambda: self.steps.close(closed))

    def delegate(self, changed: Intervention) -> Status:
        """Somebody handed an intervention on; its token waits as before."""
        return self.advance(lambda: self.hooks.people.delegated(changed))

    def restore_context(self, snapshot: str, branch: str | None, by: str) -> Status:
        """Put a token's context back to an earlier snapshot. Raises UnknownBranch, UnknownSnapshot."""
        return self.advance(lambda: self.steps.restore(snapshot, branch, by))

    def operate(self, wanted: Operation) -> Status:
        """An operator wants something. Raises OperationRefused, and what cannot be done as its own error."""
        refused: list[OperationRefused | None] = []
        status = self.advance(lambda: refused.append(self.operating.ask_or_do(wanted)))
        if refused[0] is not None:
            raise refused[0]
        return status

    def use_tool(self, tool: str, arguments: Mapping[str, Any], branch: str | None, by: str) -> dict[str, Any]:
        """Call one of governance's tools on a branch. Raises UnknownBranch, ToolRefused."""
        told: dict[str, Any] = {}
        tools = ToolsFromOutside(self.instance, self.hooks, self._contexts)
        self.advance(lambda: told.update(tools.use(tool, arguments, branch, by)))
        return told

    def chat_turn(self, text: str, by: str, branch: str | None) -> Status:
        """Somebody says something into the process. Raises UnknownBranch."""
        return self.advance(lambda: self._chat_turns.say(text, by, branch))

    def ask_for_system(self, name: str, value: Any, by: str) -> Status:
        """Ask for a change of SYSTEM. Raises LayerRefused."""

        def apply() -> None:
            self._contexts.ask_for_system(name, value, by)

        return self.advance(apply)

    def _now(self) -> datetime:
        """The clock's time, never before the last advance's: stamps must not go backwards along a branch."""
        return max(self._clock.now(), self.instance.workflow.now)

    def _settle(self, closed: Intervention) -> None:
        """Do what an answer decided that no token waits for."""
        if closed.kind == KIND:
            self.operating.settle(closed)
        else:
            self._contexts.settle_system(closed)
