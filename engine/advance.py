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
from engine.governed.tool_desk import purged
from engine.governed.tools_from_outside import ToolsFromOutside
from engine.instance import Instance
from engine.operations.operating import KIND, Operating
from engine.operations.operation import Operation, OperationRefused
from engine.persistence import next_due
from engine.post import Post
from engine.receiving import Receiving
from engine.replay.cause import NOT_KEPT, Cause, Kind, dump_answer, dump_operation, dump_post, kept
from engine.replay.worked import dump_work
from engine.spiff.messages import Message
from engine.status import Status
from engine.steps import Steps
from engine.undisturbed import undisturbed_memory
from governance.human_loop.intervention import Intervention
from governance.ports import Clock
from governance.tools.errors import ToolRefused


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
        self._values = instance.graph.values
        self.again: Sequence[Sequence[str]] | None = None
        """What the next advance finds of knowledge, where it is made again."""

    def advance(self, apply: Callable[[], None], cause: Cause = NOT_KEPT) -> Status:
        """Apply what came from outside, let the tokens move until all wait, and commit.

        `cause` is kept with the advance, so that it can be made again.
        """
        instance = self.instance
        with undisturbed_memory():
            instance.freeze_time(self._now())
            instance.changes.cause = cause
            instance.reads.begin(self.again)
            apply()
            if not instance.status.halted:
                instance.workflow.settle()
                conclude(instance)
        self._committer.commit(instance)
        return instance.status

    @property
    def is_due(self) -> bool:
        """Whether a timer has come, or the time to answer is over."""
        due = next_due(self.instance)
        return due is not None and due <= self._now()

    def move(self) -> Status:
        """Let the tokens move, then commit."""
        return self.advance(self.steps.expire, Cause(Kind.MOVE, {}))

    def complete_jobs(self, results: Sequence[tuple[int, Outcome | Thought | Exception]]) -> Status:
        """Results of work done outside, in the order of their tasks; what came too late is dropped."""
        return self.advance(lambda: self.steps.worked(results), Cause(Kind.WORKED, dump_work(self.instance, results)))

    def complete_work_item(self, task_id: int, outputs: dict[str, Any], by: str) -> Status:
        """A person did a user or manual task."""
        told = {"task": task_id, "outputs": kept(self._values, outputs), "by": by}
        return self.advance(lambda: self.steps.done_by_person(task_id, outputs, by), Cause(Kind.DONE, told))

    def correlate(self, name: str, payload: Mapping[str, Any], key: Any = None, by: str | None = None) -> Status:
        """A message from outside, which somebody sent. Raises NotAwaited."""
        told = {"message": name, "outputs": kept(self._values, payload), "key": key, "by": by}
        return self.advance(lambda: self._receiving.deliver(name, payload, key, by), Cause(Kind.DELIVER, told))

    def can_receive(self, post: Post, message: Message) -> bool:
        """Whether something in the instance waits for what another one threw."""
        return self._receiving.accepts(post, message)

    def receive(self, post: Post, message: Message) -> Status:
        """Take in what another instance threw."""
        return self.advance(lambda: self._receiving.take(post, message), self._posted(Kind.RECEIVE, post))

    def signal(self, post: Post) -> Status:
        """A signal from outside."""
        return self.advance(lambda: self._receiving.broadcast(post), self._posted(Kind.SIGNAL, post))

    def begin(self, post: Post, message: Message) -> Status:
        """A new instance comes to its start event, and gets what it waits for, in one advance."""

        def apply() -> None:
            self.instance.workflow.settle()
            self._receiving.take(post, message)

        return self.advance(apply, self._posted(Kind.BEGIN, post))

    def close_intervention(self, closed: Intervention) -> Status:
        """A person answered, or the time to answer is over."""
        answer = purged(closed).answer
        assert answer is not None
        told = {"id": closed.id, "answer": dump_answer(self._values, answer), "status": closed.status}
        return self.advance(lambda: self.steps.close(closed), Cause(Kind.ANSWER, told))

    def delegate(self, changed: Intervention) -> Status:
        """Somebody handed an intervention on; its token waits as before."""
        given = changed.delegations[-1].model_dump(mode="json")
        return self.advance(
            lambda: self.hooks.people.delegated(changed), Cause(Kind.DELEGATE, {"id": changed.id, "delegation": given})
        )

    def restore_context(self, snapshot: str, branch: str | None, by: str) -> Status:
        """Put a token's context back to an earlier snapshot. Raises UnknownBranch, UnknownSnapshot."""
        told = {"snapshot": snapshot, "branch": branch, "by": by}
        return self.advance(lambda: self.steps.restore(snapshot, branch, by), Cause(Kind.RESTORE, told))

    def operate(self, wanted: Operation) -> Status:
        """An operator wants something. Raises OperationRefused, and what cannot be done as its own error."""
        refused: list[OperationRefused | None] = []
        cause = Cause(Kind.OPERATE, {"operation": dump_operation(self._values, wanted)})
        status = self.advance(lambda: refused.append(self.operating.ask_or_do(wanted)), cause)
        if refused[0] is not None:
            raise refused[0]
        return status

    def use_tool(self, tool: str, arguments: Mapping[str, Any], branch: str | None, by: str) -> dict[str, Any]:
        """Call one of governance's tools on a branch. Raises UnknownBranch, and ToolRefused once that is on record."""
        told: dict[str, Any] = {}
        refused: list[ToolRefused] = []
        tools = ToolsFromOutside(self.instance, self.hooks, self._contexts)
        cause = {"tool": tool, "value_hash": self._values.put(dict(arguments)), "branch": branch, "by": by}

        def apply() -> None:
            try:
                told.update(tools.use(tool, arguments, branch, by))
            except ToolRefused as error:
                refused.append(error)

        self.advance(apply, Cause(Kind.TOOL, cause))
        if refused:
            raise refused[0]
        return told

    def chat_turn(self, text: str, by: str, branch: str | None) -> Status:
        """Somebody says something into the process. Raises UnknownBranch."""
        # Turns are named by the number of their event.
        told = {"text_hash": self._values.put(text), "by": by, "branch": branch, "seq": self.instance.log.next_seq}
        return self.advance(lambda: self._chat_turns.say(text, by, branch), Cause(Kind.CHAT, told))

    def ask_for_system(self, name: str, value: Any, by: str) -> Status:
        """Ask for a change of SYSTEM. Raises LayerRefused."""

        def apply() -> None:
            self._contexts.ask_for_system(name, value, by)

        return self.advance(apply, Cause(Kind.SYSTEM, {"name": name, "value_hash": self._values.put(value), "by": by}))

    def _posted(self, kind: Kind, post: Post) -> Cause:
        return Cause(kind, {"post": dump_post(self._values, post)})

    def _now(self) -> datetime:
        """The clock's time, never before the last advance's: stamps must not go backwards along a branch."""
        return max(self._clock.now(), self.instance.workflow.now)

    def _settle(self, closed: Intervention) -> None:
        """Do what an answer decided that no token waits for."""
        if closed.kind == KIND:
            self.operating.settle(closed)
        else:
            self._contexts.settle_system(closed)
