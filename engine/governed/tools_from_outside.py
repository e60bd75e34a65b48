"""Governance's four tools in the hands of a person or a program: the same tools that agents call (Design: tools)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bpmn.definition import Element
from engine.events import EventType
from engine.governed.activity_run import ActivityRun, Phase
from engine.governed.contexts import Contexts
from engine.governed.hooks import GovernedHooks
from engine.governed.people import People
from engine.instance import Instance
from engine.spiff.task import DrivenTask
from governance.human_loop.detector import Verdict
from governance.layers.manager import ContextLayerManager
from governance.merging.conflicts import Conflict, names_of
from governance.merging.plan import MergePlan
from governance.snapshots.canonical import canonical, digest
from governance.tools.bench import Bench
from governance.tools.confirming import Question
from governance.tools.errors import ToolRefused
from governance.tools.toolbox import call
from governance.vocabulary import Effect


class ToolsFromOutside:
    """Calls of tools on a branch of a live instance, inside an advance."""

    def __init__(self, instance: Instance, hooks: GovernedHooks, contexts: Contexts) -> None:
        self._instance, self._hooks, self._contexts = instance, hooks, contexts
        self._people = People(instance)

    def use(self, tool: str, arguments: Mapping[str, Any], branch: str | None, by: str) -> dict[str, Any]:
        """What the tool gives; where the tokens of a branch stand moves with it.

        Raises UnknownBranch, and ToolRefused for a call that the tool does not do: it is on record and nothing moved.
        """
        tasks = self._contexts.on_branch(branch)
        task = tasks[0]
        bench = self._bench(task)
        try:
            given = call(bench, tool, arguments)
            told = self._confirm(task, given, by) if isinstance(given, Question) else given
        except ToolRefused as refused:
            self._log(task, tool, arguments, by, failed=refused.reason)
            raise
        if "settled" in told and isinstance(task.activity, ActivityRun):
            told = {**told, "question": next(iter(task.activity.holds), None)}
        if bench.context.head != task.token.head:
            for each in tasks:
                self._hooks.move(each, bench.context.head)
            self._hooks.stand_for_instance(task)
        self._log(task, tool, arguments, by, chars=len(canonical(told)))
        return told

    def _log(self, task: DrivenTask, tool: str, arguments: Mapping[str, Any], by: str, **end: Any) -> None:
        element, branch = task.element_id, task.token.branch
        told = {"effect": Effect.READ.value, "arguments": digest(canonical(dict(arguments)))}
        self._instance.log.add(EventType.TOOL_CALL, element, branch, tool=tool, **told, by=by, **end)

    def _bench(self, task: DrivenTask) -> Bench:
        instance, token, run = self._instance, task.token, task.activity
        compressing = self._hooks.compressing
        element = instance.index.elements.get(task.element_id or "") or Element(id=task.task_spec.name, kind="task")
        held = isinstance(run, ActivityRun) and run.phase is Phase.MERGE
        return Bench(
            graph=instance.graph,
            context=ContextLayerManager(instance.graph, token.head, branch=token.branch, scope=token.scope),
            compressor=compressing.compressor,
            request=compressing.request(task, run or ActivityRun(instance.at), element),
            at=instance.at,
            move=lambda head: None,
            sealed=token.sealed,
            join=_Held(self._hooks.joining.plan(task)) if held else None,
        )

    def _confirm(self, task: DrivenTask, question: Question, by: str) -> dict[str, Any]:
        """People are told; a question that waits has to come from who waits for the answer."""
        if question.level.blocks:
            raise ToolRefused("human_confirm", "from outside people are told (MICRO_SUGGESTION); nobody waits here")
        self._people.tell(task, Verdict(question.trigger, question.level, (f"{by} says",)), question.message)
        return {"told": True}


class _Held:
    """A held join: its conflicts can be looked at, and settled by answering its question."""

    def __init__(self, plan: MergePlan) -> None:
        self._plan = plan

    def conflicts(self) -> Sequence[Mapping[str, Any]]:
        return [conflict.dump() for conflict in self._plan.open]

    def settle(self, keys: Sequence[str], strategy: str) -> Mapping[str, Any]:
        """By conflict: what to answer to the question that the join waits with. Raises ToolRefused."""
        named = {name: one for one in self._plan.open for name in names_of(one.id, one.key, one.path)}
        unknown = [key for key in keys if key not in named]
        if unknown:
            raise ToolRefused("context_branch", f"no open conflict {', '.join(unknown)}; open are {', '.join(named)}")
        meant = [named[key] for key in keys] or list(self._plan.open)
        if strategy == "HUMAN":
            return {conflict.id: "a person decides" for conflict in meant}
        if len({conflict.id for conflict in meant}) < len(self._plan.open):
            raise ToolRefused("context_branch", "all open conflicts of a join are settled at once")
        return {conflict.id: {"take": _chosen(conflict, strategy)} for conflict in meant}


def _chosen(conflict: Conflict, strategy: str) -> str:
    """The branch whose value stands; of several as sure ones the last."""
    if strategy == "LAST_WRITE":
        return conflict.values[-1].branch
    return max(reversed(conflict.values), key=lambda value: value.confidence).branch
