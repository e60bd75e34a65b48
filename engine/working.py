"""Makes the work of an activity: all that its handler may see and call."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

from bpmn.definition import Element
from engine.activities.tools.guard import Guards, ToolGuard
from engine.activities.work import KnownDeadEnd, Rules, Work
from engine.governed.activity_run import ActivityRun
from engine.governed.call_gate import CallGate
from engine.governed.hooks import GovernedHooks
from engine.governed.journal import AttemptJournal
from engine.governed.knowing import FeedBack
from engine.governed.tainting import TaintGuard
from engine.governed.telling import Telling
from engine.governed.token import UNSET, Token
from engine.governed.tool_desk import ToolDesk
from engine.governed.tool_guards import DeadEndGuard, Note
from engine.handling import Handlers, Thinking
from engine.instance import Instance
from engine.models.base import ChatModel
from engine.spiff.task import DrivenTask
from governance.layers.manager import ContextLayerManager


class WorkMaker:
    """Makes the work of one instance's activities."""

    def __init__(self, instance: Instance, hooks: GovernedHooks, handlers: Handlers) -> None:
        self._instance, self._hooks, self._handlers = instance, hooks, handlers

    def chain_model(self) -> ChatModel | None:
        """What thinks for governance; None: the rules do it alone."""
        return self._handlers.chain_model() if isinstance(self._handlers, Thinking) else None

    def work(self, key: str, task: DrivenTask, element: Element, journal: AttemptJournal) -> Work:
        """What a handler gets to do an activity; `key` names the attempt, `journal` is its own."""
        instance, run = self._instance, task.activity
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
            instance=instance.id, key=key,
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
            rules=Rules(instance.index.definition.file, task.outside, lambda: instance.index.decisions),
            local=frozenset(name for name, item in token.local.items() if item.value != UNSET),
        )

    def _before_calls(self, task: DrivenTask, journal: AttemptJournal) -> Callable[[int], None] | None:
        """What a model thinks about before D1 at a call; None: there is no model for that."""
        chains, model = self._hooks.chains, self.chain_model() if self._instance.chains else None
        return None if model is None else lambda overhead: chains.at_call(task, overhead, model, journal)

    def _feeding_back(self, task: DrivenTask, journal: AttemptJournal) -> FeedBack | None:
        """How a model says what to look for where knowledge did not help; None: there is no model for that."""
        chains, model = self._hooks.chains, self.chain_model() if self._instance.chains else None
        return None if model is None else lambda replace: chains.feed_back(task, replace, model, journal)

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
            self._hooks.knowing.hear(task, element, offered, answer)
            if telling.is_new():
                self._hooks.measured(task)
            return answer

        return call
