"""Taint around activities: what comes from outside, what derives from it, what may be done with it (Design: taint)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from bpmn.definition import Element
from engine.activities.tools.guard import ALLOWED, Guarded, ToolUse
from engine.activities.tools.outside import CALL
from engine.activities.work import Outcome
from engine.governed.activity_run import ActivityRun
from engine.governed.token import UNSET, Token
from engine.governed.variables import Variables
from engine.instance import Instance
from engine.mappings import is_mapped
from engine.spiff.task import DrivenTask
from governance.layers.spaces import space_for
from governance.merging.plan import MergePlan
from governance.snapshots.canonical import spell
from governance.snapshots.render import record_outputs
from governance.taint import unknown_parts
from governance.tools.toolbox import TOOLS
from governance.vocabulary import Effect, InteractionLevel, Layer, Producer

_SEEN = (Layer.KNOWLEDGE, Layer.HISTORY, Layer.WORKING)


class Tainting:
    """Of one instance. It costs nothing until something came from outside."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance

    def received(self, payload: Mapping[str, Any]) -> None:
        """A message or a signal brought this."""
        for value in payload.values():
            self._instance.taint.add(value)

    def came_to(self, task: DrivenTask, element: Element, outcome: Outcome) -> None:
        """Outputs of an activity that saw something from outside derive from it; what a person gives does not."""
        if not (self._instance.taint or outcome.outside or outcome.tools) or outcome.producer is Producer.HUMAN:
            return
        outside = outcome.outside or any(name not in TOOLS and name not in outcome.trusted for name in outcome.tools)
        if not outside and not self._saw(task, element, outcome):
            return
        for value in (*outcome.outputs.values(), *([outcome.decision] if outcome.decision else [])):
            self._instance.taint.add(value)

    def left(self, task: DrivenTask, element: Element, outcome: Outcome, given: Collection[str]) -> None:
        """Of outputs that a person has put right, those that they left as they were are whose they were before."""
        left = {name: value for name, value in outcome.outputs.items() if name not in given}
        self.came_to(task, element, outcome._replace(outputs=left))

    def raised(self, task: DrivenTask, element: Element, carried: Mapping[str, Any]) -> None:
        """What an error carries away is made of what was seen, as outputs are."""
        self.came_to(task, element, Outcome(outputs=carried, producer=_producer(element)))

    def computed(self, token: Token, made: Iterable[tuple[str, Iterable[str]]]) -> None:
        """Values by hash, each with the variables that an expression has made it of."""
        if self._instance.taint:
            variables = Variables(self._instance.graph, token)
            for value, names in made:
                self.made_of(value, filter(None, map(variables.hash_of, names)))

    def merged(self, plan: MergePlan, snapshot: str, record: Mapping[str, Any]) -> None:
        """What a merge has put together of what branches wrote: not what a person gave."""
        if not self._instance.taint:
            return
        given = _given(record)
        contents = self._instance.graph.contents
        sources = [contents(head.snapshot) for head in plan.heads] + [contents(base) for base in plan.bases]
        for merge in plan.merges:
            item = None if merge.key in given else contents(snapshot).item(merge.key)
            if item is not None:
                parts = (source.item(merge.key) for source in sources)
                self.made_of(item.value, [part.value for part in parts if part is not None])

    def made_of(self, value: str, parts: Iterable[str]) -> None:
        """A value by hash that the engine has put together is tainted where a part is; one of the parts is itself."""
        taint = self._instance.taint
        if taint and value not in (found := list(parts)) and any(map(taint.holds, found)):
            taint.hold(value)

    def clean_and_tainted(self, token: Token) -> tuple[str, bool]:
        """The text of what an agent is shown that is clean, and whether it is shown anything that is not.

        Where an activity is done for an agent's call, that call, and what is made of it there, is no source of itself.
        """
        taint, values = self._instance.taint, self._instance.graph.values
        clean, tainted = [], False
        for value in self._shown(token, local=CALL not in token.local):
            if taint.holds(value):
                tainted = True
            else:
                clean.append(spell(values.get(value)).decode())
        return "\n".join(clean), tainted

    def _saw(self, task: DrivenTask, element: Element, outcome: Outcome) -> bool:
        """An agent sees what it is shown; code and scripts their declared inputs, or else every variable."""
        taint, token = self._instance.taint, task.token
        if outcome.producer is Producer.AGENT:
            return any(map(taint.holds, self._shown(token)))
        names = {item.variable or item.name for item in element.data_inputs}
        if names and is_mapped(element):
            mappings = self._instance.index.mappings(element)
            names = names.union(*mappings.inputs_read.values(), *mappings.outputs_read.values())
        own = [item.value for name, item in token.local.items() if item.value != UNSET]
        space = self._instance.graph.contents(token.head).space(space_for(Layer.WORKING, token.scope))
        found = (space.item(name) for name in (names or space.names()))
        return any(map(taint.holds, own)) or any(item is not None and taint.holds(item.value) for item in found)

    def _shown(self, token: Token, *, local: bool = True) -> Iterator[str]:
        """Hashes of the values that an agent is shown; a record of HISTORY refers to its outputs, and shows them."""
        contents, values = self._instance.graph.contents(token.head), self._instance.graph.values
        for layer in _SEEN:
            for item in contents.space(space_for(layer, token.scope)).rendered.values():
                yield item.value
                if layer is Layer.HISTORY:
                    yield from (output for _, output in record_outputs(values.get(item.value)) or ())
        if local:
            yield from (stamp.value for stamp in token.local.values() if stamp.value != UNSET)


def _producer(element: Element) -> Producer:
    return Producer.SERVICE if element.agent is None else Producer.AGENT


def _learned(run: ActivityRun) -> str:
    """What an agent is told of skills and dead ends: other instances learned that, of whatever they had read."""
    known = run.known or {}
    return "\n".join([*known.get("skills", ()), *(line for line, _ in known.get("dead_ends", ()))])


def _words(text: str) -> str:
    return " ".join(text.casefold().split())


def _given(record: Mapping[str, Any]) -> set[str]:
    """The keys to which people gave values of their own, as a whole, by the record of a merge."""
    decided = [one for one in record.get("conflicts", ()) if one["decided_by"] == "person" and not one.get("path")]
    return {one["key"] for one in decided if one.get("winner") is None}


class TaintGuard:
    """A call with an effect whose arguments derive from outside is shown to somebody first."""

    def __init__(self, instance: Instance, task: DrivenTask, element: Element) -> None:
        self._instance, self._task, self._element = instance, task, element
        self._tainting = Tainting(instance)

    def before(self, use: ToolUse) -> Guarded:
        if use.effect is Effect.READ:
            return ALLOWED
        outside = any(name not in TOOLS for name in use.seen)
        learned = _learned(self._task.activity)
        if not (outside or self._instance.taint or learned):
            return ALLOWED
        clean, tainted = self._tainting.clean_and_tainted(self._task.token)
        if not (outside or tainted or learned):
            return ALLOWED
        told, arguments = self._instance.index.query(self._element.id), dict(use.arguments)
        parts = unknown_parts(arguments, _words(f"{clean}\n{told}"))
        if not (outside or tainted):
            elsewhere = unknown_parts(arguments, _words(learned))
            parts = [part for part in parts if part not in elsewhere]
        if not parts:
            return ALLOWED
        reason = f"{', '.join(parts)} may derive from outside the organisation's own sources"
        return Guarded(InteractionLevel.DIFF_PREVIEW, reason)

    def after(self, use: ToolUse, failure: str | None) -> None: ...
