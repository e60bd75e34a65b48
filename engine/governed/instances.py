"""Contexts of multi-instance activities and loops: a branch per parallel instance, one context for sequential ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bpmn.expressions.errors import ExpressionError
from engine.events import EventType
from engine.governed.branches import child_branch
from engine.governed.calls import BEFORE, arguments_of, given_since, result_of
from engine.governed.joining import Joining
from engine.governed.mapped import OWN
from engine.governed.open_writes import OpenWrites, working_writes
from engine.governed.services import Services
from engine.governed.tainting import Tainting
from engine.governed.token import UNSET, Token
from engine.governed.variables import Variables
from engine.governed.writing import StepWriter, latest
from engine.instance import Instance
from engine.spiff.loops import COUNTER
from engine.spiff.scripts import Overlay
from engine.spiff.task import COMPLETED, DrivenTask
from governance.layers.history import ActivityRecord
from governance.layers.manager import ContextLayerManager
from governance.snapshots.model import Stamp, made
from governance.vocabulary import Producer, SplitStrategy

RESULT = "result"
"""Where an instance's output item is kept with its task, as a value hash."""


class _Alike(NamedTuple):
    """What instances begin with that are begun one after the other: of which task, from which token, when.

    `local` are the items around them, and their own, unset; `item` is the name of their input item; `split` what the
    names of their branches begin with; `calls` tells whether they are an agent's calls.
    """

    task: DrivenTask
    token: Token
    at: str
    step: int
    local: Mapping[str, Stamp]
    item: str | None
    split: str
    calls: bool


class Instances:
    """What the hooks do around instances; item variables are local to an instance and never in its context."""

    def __init__(
        self, instance: Instance, services: Services, joining: Joining, open_writes: OpenWrites
    ) -> None:
        self._instance, self._services = instance, services
        self._joining, self._open_writes, self._tainting = joining, open_writes, Tainting(instance)
        self._alike: _Alike | None = None

    def open(self, task: DrivenTask, keys: Sequence[Any], parallel: bool) -> None:
        graph, token, count = self._instance.graph, task.token, len(keys)
        task.internal_data["round"] = graph.get(token.head).generation
        if self._takes_calls(task):
            task.internal_data[BEFORE] = list(token.recent)
        if parallel and count > 1:
            graph.contents(token.head)  # once for all instances, which grow from it
            strategy = self._instance.index.policy(task.element_id).split
            self._instance.log.add(
                EventType.D2,
                task.element_id,
                token.branch,
                reason=f"{count} parallel instances; agents see {strategy.value}",
                branches=[self._branch(task, token, key, count) for key in keys],
                before=token.head,
                after=[token.head] * min(count, 1),
            )

    def enter(self, task: DrivenTask, child: DrivenTask, key: Any, item: Any) -> None:
        token: Token = task.token
        at, values, spec = self._instance.at, self._instance.graph.values, task.task_spec
        known = self._alike
        if known is None or known.task is not task or known.token is not token or known.at != at:
            known = self._alike = self._begin_alike(task, token, at)
        step, local = known.step, dict(known.local)
        if known.item is not None:
            value = values.put(item)
            local[known.item] = made(Stamp, (at, step, token.branch, value))
            if spec.data_input is not None:  # else it is the instance's number
                self._tainting.computed(token, [(value, spec.data_input.names)])
        if known.calls and isinstance(item, dict):
            for name, given in arguments_of(item).items():
                local[name] = Stamp(at, step, token.branch, values.put(given))
        head, branch, scope, _, recent, action, sealed, zones = token
        count = task.internal_data["count"]
        if spec.parallel and count > 1:
            branch = f"{known.split}{key}" if type(key) is int else self._branch(task, token, key, count)
            head = self._split_off(task, token, branch)
            if head != token.head:
                sealed = branch
        child.token = made(Token, (head, branch, scope, local, recent, action, sealed, zones))

    def _begin_alike(self, task: DrivenTask, token: Token, at: str) -> _Alike:
        """What all instances of a task that begin at this time from this token begin with."""
        step, item = self._instance.graph.get(token.head).step, task.task_spec.input_item
        unset = made(Stamp, (at, step, token.branch, UNSET))
        local = {**token.local, **dict.fromkeys(_own(task.task_spec), unset)}
        split, calls = self._split(task, token), self._takes_calls(task)
        return _Alike(task, token, at, step, local, None if item is None else item.bpmn_id, split, calls)

    def count(self, task: DrivenTask, child: DrivenTask, number: int) -> None:
        """The number of a round or instance is a variable of its own."""
        token: Token = task.token
        graph = self._instance.graph
        step = graph.get(token.head).step
        stamp = made(Stamp, (self._instance.at, step, token.branch, graph.values.put(number)))
        child.token = token._replace(local={**token.local, COUNTER: stamp})

    def _takes_calls(self, task: DrivenTask) -> bool:
        loop = self._instance.index.elements[task.task_spec.bpmn_id].loop
        return loop is not None and loop.calls

    def _split_off(self, task: DrivenTask, token: Token, branch: str) -> str:
        """The snapshot that an instance begins with: what the policy lets its agents see."""
        policy = self._instance.index.policy(task.element_id)
        if policy.split is SplitStrategy.INHERIT_ALL:
            return token.head
        context = ContextLayerManager(self._instance.graph, token.head, branch=token.branch, scope=token.scope)
        (split,) = context.split([branch], policy.split, policy.retain_keys, self._instance.at)
        return split.head

    def leave(self, task: DrivenTask, child: DrivenTask) -> None:
        done: Token = child.token
        spec = task.task_spec
        output = getattr(spec, "output_item", None)
        if output is not None and getattr(spec, "data_output", None) is not None:
            own = child.internal_data.get(OWN, {})
            child.internal_data[RESULT] = done.local[output.bpmn_id].value or own.get(output.bpmn_id)
        if not getattr(spec, "parallel", False):
            task.token = done._replace(branch=task.token.branch, local=_around(task, [done]))
            task.data = self._view(task.token)

    def close(self, task: DrivenTask, children: Sequence[DrivenTask]) -> bool:
        """Bring the instances together. False: their merge is held."""
        if getattr(task.task_spec, "parallel", False) and children:
            tokens: list[Token] = [child.token for child in children]
            before = task.token._replace(local=_around(task, tokens))
            if len(children) < task.internal_data["count"]:
                self._open_writes.cancelled(self._split(task, before), {token.branch for token in tokens})
            if len(tokens) == 1:
                self._alone(task, tokens[0], before)
            elif not self._joining.join(task, tokens, before):
                return False
        self.collect(task)
        return True

    def _alone(self, task: DrivenTask, token: Token, before: Token) -> None:
        """The only instance, or the only one that was not cancelled: nothing to merge."""
        contents = self._instance.graph.contents(token.head)
        self._open_writes.joined([token.branch], before.branch, contents)
        task.token = token._replace(branch=before.branch, local=before.local)

    def collect(self, task: DrivenTask) -> None:
        """Write the output collection, in the order of the items."""
        spec = task.task_spec
        children = [child for child in task.down if child.triggered and child._state == COMPLETED]
        token: Token = task.token
        if spec.data_output is not None and (spec.output_item is not None or spec.output is not None):
            graph = self._instance.graph
            results = [(c.internal_data["key_or_index"], self._result(task, c)) for c in children]
            results.sort(key=lambda pair: pair[0] if isinstance(pair[0], int) else 0)
            keyed = any(not isinstance(key, int) for key, _ in results)
            items = [(key, None if value is None else graph.values.get(value)) for key, value in results]
            collected: Any = dict(items) if keyed else [item for _, item in items]
            if self._instance.taint:
                made_of = [value for _, value in results if value is not None]
                self._tainting.made_of(graph.values.put(collected), made_of)
            task.token = self._write(task, token, spec.data_output.bpmn_id, collected)
        task.data = self._view(task.token)

    def _result(self, task: DrivenTask, child: DrivenTask) -> str | None:
        """The value hash of an instance's output item; of a call what the tool gave, with the call's id and name."""
        if task.task_spec.output is not None:
            return self._computed(task, child)
        found: str | None = child.internal_data.get(RESULT)
        if not self._takes_calls(task):
            return found
        values, token = self._instance.graph.values, child.token
        call = values.get(token.local[task.task_spec.input_item.bpmn_id].value)
        content = values.get(found) if found else given_since(self._instance.graph, task.internal_data[BEFORE], token)
        given = values.put(result_of(call, content))
        self._tainting.made_of(given, [found] if found else map(values.put, (content or {}).values()))
        return given

    def _computed(self, task: DrivenTask, child: DrivenTask) -> str | None:
        """What the output expression makes of the instance's variables. Raises ExpressionError."""
        values, own = self._instance.graph.values, child.internal_data.get(OWN, {})
        try:
            seen = Overlay(self._view(child.token), {name: values.get(value) for name, value in own.items()})
            value = task.task_spec.output.evaluate(seen, outside=child.outside)
        except ExpressionError:
            if not self._instance.settings.get("simulate"):
                raise
            return None
        found = values.put(value)
        self._tainting.computed(child.token, [(found, task.task_spec.output.names)])
        self._tainting.made_of(found, own.values())
        return found

    def _write(self, task: DrivenTask, token: Token, name: str, collected: Any) -> Token:
        graph, element = self._instance.graph, task.task_spec.bpmn_id
        step = StepWriter(graph, token)
        outputs = {name: step.write(name, collected, producer=Producer.ENGINE)}
        task.written = frozenset(outputs)
        record = ActivityRecord(activity=element, outputs=outputs)
        grading = self._services.grading_for(self._instance.index.policy(element), token.zones)
        recent = step.context.move_to_history(record, token.recent, grading)
        token = step.commit("activity", element, self._instance.at, recent)
        self._open_writes.add(token.branch, working_writes(graph.get(token.head)))
        self._instance.log.add(
            EventType.ACTIVITY_COMPLETED, element, token.branch, outputs=outputs, head=token.head,
            instances=task.internal_data["count"],
        )  # fmt: skip
        return token

    def _branch(self, task: DrivenTask, token: Token, key: Any, count: int) -> str:
        return child_branch(token.branch, task.task_spec.bpmn_id, task.internal_data["round"], count, _named(key))

    def _split(self, task: DrivenTask, token: Token) -> str:
        """What the branches of all instances begin with."""
        return self._branch(task, token, "", task.internal_data["count"])

    def _view(self, token: Token) -> Variables:
        return Variables(self._instance.graph, token)


def _named(key: Any) -> str:
    """A key as a part of a branch's name, which slashes divide."""
    return str(key).replace("%", "%25").replace("/", "%2F")


def _own(spec: Any) -> list[str]:
    """The names of an instance's items."""
    named = [getattr(spec, "input_item", None)]
    if getattr(spec, "data_output", None) is not None:
        named.append(spec.output_item)
    counted = [COUNTER] if getattr(spec, "counted", False) else []
    return [*counted, *(item.bpmn_id for item in named if item is not None)]


def _around(task: DrivenTask, left: Sequence[Token]) -> dict[str, Stamp]:
    """The items of instances around this activity, as its own instances left them."""
    token: Token = task.token
    if not token.local:
        return {}
    own = _own(task.task_spec)
    around = latest([token.local, *(each.local for each in left)])
    return {name: stamp if name in own else around[name] for name, stamp in token.local.items()}
