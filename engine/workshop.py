"""Does the work of services and agents between advances."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, runtime_checkable

from bpmn.definition import Definition, Element
from engine.activities.choose import AGENT_JOB
from engine.activities.tools.guard import Guards, ToolGuard
from engine.activities.work import Handler, KnownDeadEnd, Outcome, Rules, Suspended, Work
from engine.errors import EngineError
from engine.governed.activity_run import ActivityRun
from engine.governed.call_gate import CallGate
from engine.governed.chains import Thought
from engine.governed.hooks import GovernedHooks
from engine.governed.journal import AttemptJournal, Journal
from engine.governed.knowing import FeedBack
from engine.governed.refusals import by_policy
from engine.governed.tainting import TaintGuard
from engine.governed.telling import Telling
from engine.governed.token import UNSET, Token
from engine.governed.tool_desk import ToolDesk
from engine.governed.tool_guards import DeadEndGuard, Note
from engine.instance import Instance
from engine.models.base import ChatModel
from engine.own_jobs import OwnJobs
from engine.replay.alone import dump_alone, load_alone
from engine.spiff.task import DrivenTask
from engine.threads import together
from governance.layers.manager import ContextLayerManager
from governance.vocabulary import Effect

_CAME_TO: Final = "came_to"
"""In the journal of an attempt: what its service came to, where that could not be committed."""


class Handlers(Protocol):
    """Finds who does an activity."""

    def handler_for(self, element: Element) -> Handler:
        """The handler of an activity. Raises MissingHandler, which lists what is registered."""
        ...

    def require(self, definition: Definition) -> None:
        """Raises MissingHandler for the activities of a definition that nobody would do."""
        ...


@runtime_checkable
class Versioned(Protocol):
    """Handlers that know which version of who does an activity they have."""

    def version_of(self, element: Element) -> str:
        """The version; "" if it is not known."""
        ...

    def effect_of(self, element: Element) -> Effect:
        """What doing it does to the world outside."""
        ...


@runtime_checkable
class Thinking(Protocol):
    """Handlers that have a model for the chains of governance."""

    def chain_model(self) -> ChatModel | None:
        """The model; None: the rules do it alone."""
        ...


@runtime_checkable
class Concurrent(Protocol):
    """Handlers some of which may run beside each other."""

    def concurrent(self, element: Element) -> bool:
        """Whether who does the activity may run on a thread of its own while others run on theirs."""
        ...


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
        self._own, self._taken_up = own or OwnJobs(), False
        self._found = frozenset(instance.jobs)

    def perform(self) -> list[tuple[int, Outcome | Thought | Exception]]:
        """What each open job came to; a handler's exception is its result.

        Jobs that somebody else in this program has are left to him. What services had come to before the instance was
        taken up anew is told first, and alone.
        """
        jobs = [(id, task) for id, task in sorted(self._instance.jobs.items()) if self._claim(task)]
        if self._taken_up:
            self._taken_up = False
            return [(id, result) for id, task in jobs if (result := self._own.kept(self._key(task))) is not None]
        self._own.forget()
        beside = {id: self._ready(task) for id, task in jobs if self._may_run_beside(task)}
        done = dict(zip(beside, together(list(beside.values())), strict=True))
        return [(id, done[id] if id in done else self._perform(task)) for id, task in jobs]

    def settled(self) -> None:
        """What the jobs came to is committed."""
        self._own.settled({self._key(task) for task in self._instance.jobs.values()}, self._instance.version)

    def take_up(self, instance: Instance, hooks: GovernedHooks) -> bool:
        """Go on with the instance as somebody else has left it. False: it has no use for what services did, or not now,
        as it was suspended; then that is put by for who goes on with it.
        """
        self._instance, self._hooks, self._found = instance, hooks, frozenset(instance.jobs)
        wanted = [(task, self._own.kept(self._key(task))) for task in instance.jobs.values()]
        useful = [(task, came_to) for task, came_to in wanted if came_to is not None]
        self._taken_up = bool(useful) and not instance.status.halted
        if not self._taken_up:
            for task, came_to in useful:
                self._attempt_journal(task).put(_CAME_TO, dump_alone(came_to))
        return self._taken_up

    def leave(self) -> None:
        """Do nothing more: what is not done is for others."""
        self._own.leave()

    def _claim(self, task: DrivenTask) -> bool:
        return self._own.take(self._key(task), self._instance.version)

    def _key(self, task: DrivenTask) -> str:
        """The same as long as it is the same attempt, whoever makes it."""
        return f"{self._instance.id}/{self._instance.run_id(task)}/{task.activity.attempt}"

    def _perform(self, task: DrivenTask) -> Outcome | Thought | Exception:
        return self._think(task) if task.activity.chain else self._ready(task)()

    def _may_run_beside(self, task: DrivenTask) -> bool:
        element = self._instance.index.elements[task.task_spec.bpmn_id]
        if task.activity.chain or element.agent is not None or not isinstance(self._handlers, Concurrent):
            return False
        return self._handlers.concurrent(element)

    def _think(self, task: DrivenTask) -> Thought:
        """What a model makes of what the task waits before; without one, what the rule does."""
        model = self._chain_model()
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
            handler, work = self._handlers.handler_for(element), self._work(task, element)
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

    def _work(self, task: DrivenTask, element: Element) -> Work:
        instance, run = self._instance, task.activity
        journal = self._attempt_journal(task)
        gate = CallGate(instance, self._hooks.compressing, task, run, element, self._before_calls(task, journal))
        token: Token = task.token
        context = ContextLayerManager(instance.graph, token.head, branch=token.branch, scope=token.scope)
        process = instance.index.process_of(element.id)

        def compress(overhead_tokens: int) -> None:
            self._hooks.knowing.renew(task, run, element, self._feeding_back(task, journal))
            gate.compress(overhead_tokens)
            context.head = task.token.head

        telling, known = Telling(instance, run, element.id, token.branch), self._known(task, run, element)

        return Work(
            instance=instance.id, key=self._key(task),
            element=element,
            process_name=process.name or process.id,
            policy=element.resolved.policy,
            variables=self._hooks.mapped.variables(task, element),
            context=context,
            visit=run.visit,
            attempt=run.attempt,
            feedback=run.feedback,
            compress=compress,
            call_model=self._journaled(task, run, element, gate, journal, telling),
            note=telling.note,
            dead_ends=tuple(KnownDeadEnd(line, tuple(entries)) for line, entries in known.get("dead_ends", ())),
            refusal=run.refusal,
            skills=tuple(known.get("skills", ())),
            guard=self._guard(task, element, telling.once),
            desk=ToolDesk(instance, self._hooks.compressing, task, context, gate, journal, element),
            rules=Rules(instance.index.definition.file, instance.workflow.now, lambda: instance.index.decisions),
            local=frozenset(name for name, item in token.local.items() if item.value != UNSET),
        )

    def _before_calls(self, task: DrivenTask, journal: AttemptJournal) -> Callable[[int], None] | None:
        """What a model thinks about before D1 at a call; None: there is no model for that."""
        chains, model = self._hooks.chains, self._chain_model() if self._instance.chains else None
        return None if model is None else lambda overhead: chains.at_call(task, overhead, model, journal)

    def _feeding_back(self, task: DrivenTask, journal: AttemptJournal) -> FeedBack | None:
        """How a model says what to look for where knowledge did not help; None: there is no model for that."""
        chains, model = self._hooks.chains, self._chain_model() if self._instance.chains else None
        return None if model is None else lambda replace: chains.feed_back(task, replace, model, journal)

    def _chain_model(self) -> ChatModel | None:
        return self._handlers.chain_model() if isinstance(self._handlers, Thinking) else None

    def _known(self, task: DrivenTask, run: ActivityRun, element: Element) -> Mapping[str, Any]:
        """What an agent is told of dead ends and skills: the same in an attempt that is done over after a wait."""
        if element.agent is None:
            return {}
        if run.known is None:
            dead_ends, skills = self._hooks.dead_ends.known(task, element), self._hooks.experiences.known(task, element)
            told = {"dead_ends": [list(each) for each in dead_ends], "skills": list(skills)}
            run.known = {name: lines for name, lines in told.items() if lines}
        return run.known

    def _guard(self, task: DrivenTask, element: Element, note: Note) -> ToolGuard | None:
        taint = TaintGuard(self._instance, task, element)
        if self._hooks.dead_ends.off:
            return taint
        return Guards([DeadEndGuard(self._instance, task, element, note), taint])

    def _journaled(
        self,
        task: DrivenTask,
        run: ActivityRun,
        element: Element,
        gate: CallGate,
        journal: AttemptJournal,
        telling: Telling,
    ) -> Callable[..., dict[str, Any]]:
        calls = itertools.count()

        def call(request_hash: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
            gate.require_open()
            begun = self._instance.spending.now()
            offered = self._hooks.knowing.offer(task, run)
            answer = journal.get(request_hash)
            if answer is None:
                self._hooks.budgets.require(task, run, element)
                answer = ask()
                journal.put(request_hash, answer)
            minutes = (self._instance.spending.now() - begun).total_seconds() / 60
            self._hooks.budgets.charge(run, next(calls), answer, minutes)
            self._hooks.knowing.hear(run, element, offered, answer)
            if telling.is_new():
                self._hooks.measured(task)
            return answer

        return call
