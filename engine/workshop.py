"""Does the work of services and agents between advances."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.activities.choose import AGENT_JOB
from engine.activities.work import Outcome, Suspended
from engine.errors import EngineError
from engine.governed.chains import Thought
from engine.governed.hooks import GovernedHooks
from engine.governed.journal import AttemptJournal, Journal
from engine.governed.refusals import by_policy
from engine.handling import Concurrent, Handlers
from engine.instance import Instance
from engine.own_jobs import OwnJobs
from engine.replay.alone import dump_alone, load_alone
from engine.spiff.task import DrivenTask
from engine.threads import together
from engine.working import WorkMaker

_CAME_TO: Final = "came_to"
"""In the journal of an attempt: what its service came to, where that could not be committed."""


class HandlerExited(EngineError):
    """A handler that tried to end the program."""

    def __init__(self, element: str, code: object) -> None:
        self.element, self.code = element, code
        super().__init__(f"{element}: its handler tried to end the program (exit code {code})")


class Workshop:
    """Performs an instance's jobs in the order of their tasks: one after the other, but for those that may run beside
    each other. What these came to is still told in the order of their tasks."""

    def __init__(
        self,
        instance: Instance,
        hooks: GovernedHooks,
        handlers: Handlers,
        journal: Journal,
        own: OwnJobs | None = None,
    ) -> None:
        self._instance, self._hooks = instance, hooks
        self._handlers, self._journal = handlers, journal
        self._concurrent = handlers if isinstance(handlers, Concurrent) else None
        self._making = WorkMaker(instance, hooks, handlers)
        self._own, self._taken_up = own or OwnJobs(), False
        self._found = frozenset(instance.jobs)

    def perform(self) -> list[tuple[int, Outcome | Thought | Exception]]:
        """What each open job came to; a handler's exception is its result.

        Jobs that somebody else is at are left to him. What services had come to before the instance was taken up anew
        is told first, and alone. Raises VersionConflict, before anything is done, where it was moved meanwhile.
        """
        jobs = sorted(self._instance.jobs.items())
        if self._taken_up:
            self._taken_up = False
            return [(id, result) for id, task in jobs if (result := self._own.kept(self._key(task))) is not None]
        mine = self.take()
        jobs = [(id, task) for id, task in jobs if self._key(task) in mine]
        self._own.forget()
        beside = {id: self._ready(task) for id, task in jobs if self._may_run_beside(task)}
        done = dict(zip(beside, together(list(beside.values())), strict=True))
        return [(id, done[id] if id in done else self._perform(task)) for id, task in jobs]

    def take(self) -> set[str]:
        """Keys of the open jobs that nobody else is at: they are ours. Raises VersionConflict as `perform` does."""
        return self._own.take(map(self._key, self._instance.jobs.values()), self._instance.version)

    @property
    def elsewhere(self) -> bool:
        """Whether another program is at some of those that were open last."""
        return self._own.elsewhere

    def settled(self) -> None:
        """What the jobs came to is committed."""
        self._own.settled({self._key(task) for task in self._instance.jobs.values()}, self._instance.version)

    def take_up(self, instance: Instance, hooks: GovernedHooks) -> bool:
        """Go on with the instance as somebody else has left it. False: it has no use for what services did, or not now,
        as it was suspended; then that is put by for who goes on with it.
        """
        self.renew(instance, hooks)
        wanted = [(task, self._own.kept(self._key(task))) for task in instance.jobs.values()]
        useful = [(task, came_to) for task, came_to in wanted if came_to is not None]
        self._taken_up = bool(useful) and not instance.status.halted
        if not self._taken_up:
            for task, came_to in useful:
                self._attempt_journal(task).put(_CAME_TO, dump_alone(came_to))
        return self._taken_up

    def renew(self, instance: Instance, hooks: GovernedHooks) -> None:
        """Go on with the instance as somebody else has left it, before anything was done."""
        self._instance, self._hooks, self._found = instance, hooks, frozenset(instance.jobs)
        self._making = WorkMaker(instance, hooks, self._handlers)

    def leave(self) -> None:
        """Do nothing more: what is not done is for others."""
        self._own.leave()

    def _key(self, task: DrivenTask) -> str:
        """The same as long as it is the same attempt, whoever makes it."""
        return f"{self._instance.id}/{self._instance.run_id(task)}/{task.activity.attempt}"

    def _perform(self, task: DrivenTask) -> Outcome | Thought | Exception:
        return self._think(task) if task.activity.chain else self._ready(task)()

    def _may_run_beside(self, task: DrivenTask) -> bool:
        element = self._instance.index.elements[task.task_spec.bpmn_id]
        if task.activity.chain or element.agent is not None or self._concurrent is None:
            return False
        return self._concurrent.concurrent(element)

    def _think(self, task: DrivenTask) -> Thought:
        """What a model makes of what the task waits before; without one, what the rule does."""
        model = self._making.chain_model()
        journal = self._attempt_journal(task)
        return self._hooks.chains.think(task, lambda: self._hooks.joining.plan(task), model, journal)

    def _attempt_journal(self, task: DrivenTask) -> AttemptJournal:
        return AttemptJournal(self._journal, self._instance.run_id(task), task.activity.attempt)

    def _put_by(self, task: DrivenTask) -> Outcome | Exception | None:
        """What a service had come to when its instance was suspended; only who loads an instance may find that."""
        row = self._attempt_journal(task).get(_CAME_TO) if task.id in self._found else None
        return None if row is None else load_alone(row)

    def _ready(self, task: DrivenTask) -> Callable[[], Outcome | Exception]:
        """A job, ready to be done on any thread.

        What it comes to: while a person has to answer first that is Suspended, whatever its handler made of it.
        """
        element = self._instance.index.elements[task.task_spec.bpmn_id]
        refused = by_policy(element) or self._hooks.dead_ends.reached(task, task.activity, element)
        if refused is not None:
            return lambda: refused
        is_service = element.agent is None and element.job_type != AGENT_JOB
        if is_service and (before := self._put_by(task)) is not None:
            return lambda: before
        try:
            handler = self._handlers.handler_for(element)
            work = self._making.work(self._key(task), task, element, self._attempt_journal(task))
        except Exception as error:
            failed = error
            return lambda: failed

        def do() -> Outcome | Exception:
            came_to: Outcome | Exception
            try:
                came_to = handler(work)
                if task.token.zones:
                    came_to = came_to._replace(zones=[list(row) for row in task.token.zones])
            except Exception as error:
                came_to = error
            except SystemExit as exit:
                came_to = HandlerExited(element.id, exit.code)
            if task.activity.holds:
                return Suspended(element.id)
            if is_service:
                self._own.keep(work.key, came_to)
            return came_to

        return do
