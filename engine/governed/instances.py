"""Contexts of multi-instance activities and loops: a branch per parallel instance, one context for sequential ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.events import EventType
from engine.governed.branches import child_branch
from engine.governed.joining import Joining
from engine.governed.open_writes import OpenWrites, working_writes
from engine.governed.services import Services
from engine.governed.token import Token
from engine.governed.variables import Variables
from engine.instance import Instance
from engine.spiff.task import COMPLETED, DrivenTask
from governance.layers.history import ActivityRecord
from governance.layers.manager import ContextLayerManager
from governance.vocabulary import Layer, Producer

RESULT = "result"
"""Where an instance's output item is kept with its task, as a value hash."""


class Instances:
    """What the hooks do around instances; item variables are local to an instance and never in its context."""

    def __init__(
        self, instance: Instance, services: Services, joining: Joining, open_writes: OpenWrites
    ) -> None:
        self._instance, self._services = instance, services
        self._joining, self._open_writes = joining, open_writes

    def open(self, task: DrivenTask, count: int, parallel: bool) -> None:
        graph, token = self._instance.graph, task.token
        task.internal_data["round"] = graph.get(token.head).generation
        if parallel and count > 1:
            self._instance.log.add(
                EventType.D2,
                task.element_id,
                token.branch,
                reason=f"{count} parallel instances",
                branches=[self._branch(task, token, key, count) for key in range(count)],
                before=token.head,
                after=[token.head] * min(count, 1),
            )

    def enter(self, task: DrivenTask, child: DrivenTask, key: Any, item: Any) -> None:
        token: Token = task.token
        spec = task.task_spec
        local = dict(token.local)
        if spec.input_item is not None:
            local[spec.input_item.bpmn_id] = self._instance.graph.values.put(item)
        if spec.output_item is not None and spec.data_output is not None:
            local[spec.output_item.bpmn_id] = None
        branch = token.branch
        count = task.internal_data["count"]
        if spec.parallel and count > 1:
            branch = self._branch(task, token, key, count)
        child.token = Token(token.head, branch, token.scope, local, token.recent, token.action)

    def leave(self, task: DrivenTask, child: DrivenTask) -> None:
        done: Token = child.token
        spec = task.task_spec
        output = getattr(spec, "output_item", None)
        if output is not None and getattr(spec, "data_output", None) is not None:
            child.internal_data[RESULT] = self._result(child, output.bpmn_id)
        if not getattr(spec, "parallel", False):
            token: Token = task.token
            task.token = Token(done.head, token.branch, token.scope, token.local, done.recent, done.action)
            task.data = self._view(task.token)

    def close(self, task: DrivenTask, children: Sequence[DrivenTask]) -> bool:
        """Bring the instances together. False: their merge is held."""
        if getattr(task.task_spec, "parallel", False) and children:
            tokens = [child.token for child in children]
            before = task.token
            if len(tokens) == 1:
                task.token = replace(tokens[0], branch=before.branch, local=before.local)
            elif not self._joining.join(task, tokens, before):
                return False
        self.collect(task)
        return True

    def collect(self, task: DrivenTask) -> None:
        """Write the output collection, in the order of the items."""
        spec = task.task_spec
        children = [child for child in task.down if child.triggered and child._state == COMPLETED]
        token: Token = task.token
        if spec.data_output is not None and spec.output_item is not None:
            graph = self._instance.graph
            results = [(c.internal_data["key_or_index"], c.internal_data.get(RESULT)) for c in children]
            results.sort(key=lambda pair: pair[0] if isinstance(pair[0], int) else 0)
            keyed = any(not isinstance(key, int) for key, _ in results)
            items = [(key, None if value is None else graph.values.get(value)) for key, value in results]
            collected: Any = dict(items) if keyed else [item for _, item in items]
            task.token = self._write(task, token, spec.data_output.bpmn_id, collected)
        task.data = self._view(task.token)

    def _write(self, task: DrivenTask, token: Token, name: str, collected: Any) -> Token:
        graph = self._instance.graph
        context = ContextLayerManager(graph, token.head, branch=token.branch, scope=token.scope)
        element = task.task_spec.bpmn_id
        value_hash = graph.values.put(collected)
        local = dict(token.local)
        if name in local:
            local[name] = value_hash
        else:
            context.write(Layer.WORKING, name, collected, producer=Producer.ENGINE)
        record = ActivityRecord(activity=element, outputs={name: value_hash})
        recent = context.move_to_history(record, token.recent, self._services.grading)
        head = context.commit("activity", element, self._instance.at)
        self._open_writes.add(token.branch, working_writes(graph.get(head)))
        self._instance.log.add(
            EventType.ACTIVITY_COMPLETED, element, token.branch, outputs={name: value_hash}, head=head
        )
        return Token(head, token.branch, token.scope, local, recent, token.action)

    def _result(self, child: DrivenTask, name: str) -> str | None:
        local: str | None = child.token.local.get(name)
        if local is not None:
            return local
        value = child.data.get(name)
        return None if value is None else self._instance.graph.values.put(value)

    def _branch(self, task: DrivenTask, token: Token, key: Any, count: int) -> str:
        return child_branch(token.branch, task.task_spec.bpmn_id, task.internal_data["round"], count, str(key))

    def _view(self, token: Token) -> Variables:
        graph = self._instance.graph
        return Variables(graph.contents(token.head), graph.values, token)
