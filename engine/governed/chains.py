"""Chains with a model around a token: asked for inside an advance, thought outside of it, applied in the next.

A task that waits for one is a job of the instance; `run.chain` says which. Without a model none is ever asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from bpmn.definition import Element
from engine.chains.thinker import ModelThinker, Rows
from engine.events import EventType
from engine.governed.activity_run import ActivityRun
from engine.governed.budgets import Budgets
from engine.governed.compressing import Compressing
from engine.instance import Instance
from engine.models.base import ChatModel
from engine.spiff.task import DrivenTask
from governance.chains.conflicts import judge_conflicts
from governance.chains.feedback import feed_back
from governance.chains.focus import focus_line
from governance.chains.machine import Chain, Ended
from governance.chains.summaries import asks_a_model, rewrite_summaries
from governance.layers.focus import focus_key, focus_of
from governance.layers.manager import ContextLayerManager
from governance.merging.plan import MergePlan
from governance.merging.proposals import Proposal, for_model
from governance.tools.bench import Bench
from governance.vocabulary import Layer, Producer

BEFORE: Final = "before"
MERGE: Final = "merge"


@dataclass(frozen=True, slots=True)
class Thought:
    """What the chains of a task came to: texts of D1 by key, a focus line of D2, proposals of D3 by conflict id."""

    texts: Mapping[str, str] = field(default_factory=dict)
    focus: str | None = None
    proposals: Mapping[str, list[Any]] = field(default_factory=dict)


class Chains:
    """Decides when a chain is wanted, runs it, and applies what it came to."""

    def __init__(self, instance: Instance, compressing: Compressing, budgets: Budgets) -> None:
        self._instance, self._compressing, self._budgets = instance, compressing, budgets

    def wants_before(self, task: DrivenTask, run: ActivityRun, element: Element) -> bool:
        """Whether a model has something to do before an activity; then it is a job. Once per attempt."""
        if not self._instance.chains or BEFORE in run.chained:
            return False
        if not (self._wants_focus(task, element) or self._wants_texts(task, run, element)):
            return False
        self._schedule(task, run, BEFORE)
        return True

    def wants_merge(self, task: DrivenTask, run: ActivityRun, plan: MergePlan) -> bool:
        """Whether a model may settle some of a join's conflicts; then it is a job. Once per join."""
        if not self._instance.chains or MERGE in run.chained or not for_model(plan):
            return False
        self._schedule(task, run, MERGE)
        return True

    def think(
        self, task: DrivenTask, plan: Callable[[], MergePlan], model: ChatModel | None, rows: Rows
    ) -> Thought:
        """Run the chains that the task waits for; outside of an advance."""
        run: ActivityRun = task.activity
        if run.chain == MERGE:
            judged = judge_conflicts(plan(), self._thinker(task, model, rows, Chain.D3_CONFLICT))
            self._log(task, judged, left=dict(judged.found.left))
            kept = {id: [one.branch, one.reason, one.confidence] for id, one in judged.found.proposals.items()}
            return Thought(proposals=kept)
        element = self._instance.index.elements[task.task_spec.bpmn_id]
        texts: Mapping[str, str] = {}
        focus: str | None = None
        if self._wants_focus(task, element):
            line = focus_line(
                self._bench(task, run, element),
                [self._instance.index.title(element.id)],
                self._thinker(task, model, rows, Chain.D2_MODEL),
            )
            self._log(task, line)
            focus = line.found or ""
        if self._wants_texts(task, run, element):
            request = self._compressing.request(task, run, element)
            thinker = self._thinker(task, model, rows, Chain.D1_MODEL)
            written = rewrite_summaries(self._compressing.compressor, task.token.head, request, thinker)
            self._log(task, written, refused=dict(written.found.refused), keys=sorted(written.found.texts))
            texts = written.found.texts
        return Thought(texts, focus)

    def at_call(self, task: DrivenTask, overhead_tokens: int, model: ChatModel | None, rows: Rows) -> None:
        """Before D1 at a further model call: what a model makes of its summaries, in place at once."""
        run: ActivityRun = task.activity
        element = self._instance.index.elements[task.task_spec.bpmn_id]
        request = self._compressing.request(task, run, element, overhead_tokens=overhead_tokens)
        if not asks_a_model(self._compressing.compressor.evaluate(task.token.head, request)):
            return
        thinker = self._thinker(task, model, rows, Chain.D1_MODEL)
        written = rewrite_summaries(self._compressing.compressor, task.token.head, request, thinker)
        self._log(task, written, refused=dict(written.found.refused), keys=sorted(written.found.texts))
        run.texts.update(written.found.texts)

    def feed_back(
        self, task: DrivenTask, replace: Callable[[str], Sequence[str]], model: ChatModel | None, rows: Rows
    ) -> None:
        """Before a further model call, where knowledge served badly: what to look for instead."""
        element = self._instance.index.elements[task.task_spec.bpmn_id]
        thinker = self._thinker(task, model, rows, Chain.KNOWLEDGE_FEEDBACK)
        ended = feed_back(self._bench(task, task.activity, element), _Injection(replace), thinker)
        self._log(task, ended, keys=list(ended.found))

    def apply(self, task: DrivenTask, thought: Thought) -> None:
        """Inside the next advance: the task waits no longer."""
        instance, run = self._instance, task.activity
        instance.jobs.pop(task.id, None)
        run.chained.append(run.chain)
        run.chain = None
        run.texts = dict(thought.texts)
        run.proposals = {id: list(proposal) for id, proposal in thought.proposals.items()}
        if thought.focus is not None:
            token = task.token
            context = ContextLayerManager(instance.graph, token.head, branch=token.branch, scope=token.scope)
            context.write(Layer.PROCESS, focus_key(token.branch), thought.focus, producer=Producer.AGENT)
            head = context.commit("D2", task.element_id or "", instance.at)
            task.token = token._replace(head=head)
        instance.touch(task)

    def _schedule(self, task: DrivenTask, run: ActivityRun, chain: str) -> None:
        run.chain = chain
        self._instance.jobs[task.id] = task
        self._instance.touch(task)

    def _wants_focus(self, task: DrivenTask, element: Element) -> bool:
        token = task.token
        if element.agent is None or not token.branch:
            return False
        return focus_of(self._instance.graph.contents(token.head), self._instance.graph.values, token.branch) is None

    def _wants_texts(self, task: DrivenTask, run: ActivityRun, element: Element) -> bool:
        if self._compressing.calm(task, run, element.resolved.policy):
            return False
        request = self._compressing.request(task, run, element)
        return asks_a_model(self._compressing.compressor.evaluate(task.token.head, request))

    def _bench(self, task: DrivenTask, run: ActivityRun, element: Element) -> Bench:
        instance, token = self._instance, task.token
        return Bench(
            graph=instance.graph,
            context=ContextLayerManager(instance.graph, token.head, branch=token.branch, scope=token.scope),
            compressor=self._compressing.compressor,
            request=self._compressing.request(task, run, element),
            at=instance.at,
            move=lambda head: None,
            sealed=token.sealed,
        )

    def _thinker(self, task: DrivenTask, model: ChatModel | None, rows: Rows, chain: Chain) -> ModelThinker | None:
        if model is None:
            return None
        instance = self._instance

        def note(kind: str, data: Mapping[str, Any]) -> None:
            instance.log.add(EventType(kind), task.element_id, task.token.branch, **data)

        def count(text: str) -> int:
            return instance.graph.values.measure(text).tokens

        name = task.element_id or task.task_spec.name
        visit = instance.visits.get(name, 0) + 1
        pay = partial(self._budgets.think, task.activity, instance.index.policy(task.element_id))
        return ModelThinker(model, chain.value, name, task.token.branch, visit, rows, note, count, pay)

    def _log(self, task: DrivenTask, ended: Ended[Any], **more: Any) -> None:
        said = {name: value for name, value in more.items() if value}
        self._instance.log.add(EventType.CHAIN, task.element_id, task.token.branch, **ended.record(), **said)


@dataclass(frozen=True, slots=True)
class _Injection:
    """Where a chain brings knowledge in."""

    replaced: Callable[[str], Sequence[str]]

    def replace(self, query: str) -> Sequence[str]:
        return self.replaced(query)


def proposals_of(run: ActivityRun) -> dict[str, Proposal]:
    """What a model proposed for a join's conflicts."""
    return {id: Proposal(*proposal) for id, proposal in run.proposals.items()}
