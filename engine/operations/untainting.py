"""Takes for clean what came from outside, because a person has looked at it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.events import EventType
from engine.governed.contexts import Contexts
from engine.instance import Instance
from engine.operations.operation import NotPossible, Operation
from engine.spiff.task import DrivenTask
from governance.layers.manager import ContextLayerManager
from governance.snapshots.render import record_outputs
from governance.vocabulary import Layer

_LAYERS: Final = (Layer.HISTORY, Layer.KNOWLEDGE)


class Untaint:
    """Lifts the taint of variables, of records (`HISTORY/NAME`) with their outputs, and of items (`KNOWLEDGE/ID`).

    What an agent derives from them from then on is clean; what it derived is not. An item is clean in this instance
    alone: for others a person confirms it.
    """

    def __init__(self, instance: Instance, contexts: Contexts) -> None:
        self._instance, self._contexts = instance, contexts

    def concerns(self, wanted: Operation) -> Sequence[str | None]:
        return [task.element_id for task in self._tasks(wanted)]

    def preview(self, wanted: Operation) -> Mapping[str, Any]:
        """The values, to be looked at. Raises NotPossible without a reason, and for what is not tainted."""
        if not wanted.reason.strip():
            raise NotPossible(self._instance.id, wanted.action, "say why: it needs a reason")
        task = self._tasks(wanted)[0]
        return {"variables": {name: self._shown(task, wanted, name) for name in wanted.names}}

    def do(self, wanted: Operation, who: Mapping[str, str]) -> None:
        task = self._tasks(wanted)[0]
        for name in wanted.names:
            for value in self._values(task, wanted, name):
                self._instance.taint.lift(value)
        self._instance.log.add(
            EventType.TAINT_LIFTED, task.element_id, task.token.branch, **who, variables=sorted(wanted.names)
        )

    def _shown(self, task: DrivenTask, wanted: Operation, name: str) -> Any:
        values = self._values(task, wanted, name)
        if not any(map(self._instance.taint.of, values)):
            raise NotPossible(self._instance.id, wanted.action, f"{name} is not tainted")
        return values[0] if len(values) == 1 else {"record": values[0], "outputs": values[1:]}

    def _values(self, task: DrivenTask, wanted: Operation, name: str) -> list[Any]:
        """A variable's or an item's value; of a record what it says, and each of its outputs."""
        layer, _, entry = name.partition("/")
        if layer not in _LAYERS:
            variables: Mapping[str, Any] = task.data
            if name not in variables:
                raise NotPossible(self._instance.id, wanted.action, f"there is no variable {name}")
            return [variables[name]]
        token, graph = task.token, self._instance.graph
        context = ContextLayerManager(graph, token.head, branch=token.branch, scope=token.scope)
        found = context.read(Layer(layer), [entry])
        if entry not in found:
            raise NotPossible(self._instance.id, wanted.action, f"there is no entry {name} in its context")
        outputs = record_outputs(found[entry]) if layer == Layer.HISTORY else None
        return [found[entry], *(graph.values.get(output) for _, output in outputs or ())]

    def _tasks(self, wanted: Operation) -> list[DrivenTask]:
        return self._contexts.on_branch(wanted.branch)
