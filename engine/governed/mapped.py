"""Activities with mappings, and scripts: what they see, and what of theirs comes out."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Container, Mapping
from typing import Any, Final

from bpmn.definition import Element
from bpmn.expressions.errors import ExpressionError
from engine.activities.work import Outcome, scripted
from engine.events import EventType
from engine.governed.tainting import Tainting
from engine.instance import Instance
from engine.mappings import is_mapped
from engine.spiff.task import DrivenTask
from governance.vocabulary import Producer

OWN: Final = "own"
"""Where an instance keeps what its output reads of it once it is done, as value hashes by name."""


def _read_after(task: DrivenTask) -> frozenset[str]:
    """The variables that a multi-instance activity around a task reads of each instance."""
    around = None if task.up is None else task.up.task_spec
    item, output = getattr(around, "output_item", None), getattr(around, "output", None)
    names: frozenset[str] = frozenset() if output is None else output.names
    return names if item is None else names | {item.bpmn_id}


class Mapped:
    """Makes the mappings of an activity around its work. In a simulation what cannot be computed is passed over."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance

    def variables(self, task: DrivenTask, element: Element) -> Mapping[str, Any]:
        """The process's variables, and over them what input mappings set. Raises ExpressionError."""
        inputs = self.inputs(task, element)
        return ChainMap(inputs, task.data) if inputs else task.data

    def inputs(self, task: DrivenTask, element: Element) -> dict[str, Any]:
        """What the input mappings set. Raises ExpressionError."""
        if not element.input_mappings:
            return {}
        outside = task.outside
        return self._instance.index.mappings(element).inputs(task.data, outside, self._note(task))

    def outcome(self, task: DrivenTask, element: Element, outcome: Outcome) -> Outcome:
        """The outcome with what the output mappings make of its outputs; without any, as it is but for what is local.

        Raises ExpressionError.
        """
        inputs = self.inputs(task, element)
        if not element.output_mappings:
            kept = {name: value for name, value in outcome.outputs.items() if name not in inputs}
            self._keep(task, element, outcome, kept, inputs)
            return outcome._replace(outputs=kept, deleted=outcome.deleted - inputs.keys())
        seen = ChainMap(inputs, task.data)
        outside = task.outside
        found = self._instance.index.mappings(element).outputs(seen, outcome.outputs, outside, self._note(task))
        self._keep(task, element, outcome, found, inputs)
        return outcome._replace(outputs=found, deleted=frozenset())

    def keep(self, task: DrivenTask, left: Container[str], own: Mapping[str, Any]) -> dict[str, Any]:
        """Of an instance, keep what is its `own` and its output reads, for what it has `left` is found there."""
        kept = {name: own[name] for name in _read_after(task) if name in own and name not in left}
        if kept:
            put = self._instance.graph.values.put
            task.internal_data[OWN] = {name: put(value) for name, value in kept.items()}
        return kept

    def _keep(
        self, task: DrivenTask, element: Element, outcome: Outcome, left: Container[str], inputs: dict[str, Any]
    ) -> None:
        kept = self.keep(task, left, ChainMap(dict(outcome.outputs), inputs))
        if not kept:
            return
        tainting, read = Tainting(self._instance), self._instance.index.mappings(element).inputs_read
        results = {name: value for name, value in kept.items() if name in outcome.outputs}
        tainting.came_to(task, element, outcome._replace(outputs=results))
        put = self._instance.graph.values.put
        given = ((put(value), read.get(name, ())) for name, value in kept.items() if name not in results)
        tainting.computed(task.token, given)

    def of_scope(self, task: DrivenTask, element: Element, inside: Mapping[str, Any]) -> dict[str, Any]:
        """What the output mappings of a sub-process make of the variables in it. Raises ExpressionError."""
        outside = task.outside
        return self._instance.index.mappings(element).outputs({}, inside, outside, self._note(task))

    def script(self, task: DrivenTask, element: Element) -> Outcome:
        """What a script does. Raises ExpressionError."""
        try:
            return self._script(task, element)
        except ExpressionError as error:
            note = self._note(task)
            if note is None:
                raise
            note(f"simulated: the script is passed over: {error.reason}")
            return Outcome(producer=Producer.SCRIPT, decision="simulated: the script was passed over")

    def _script(self, task: DrivenTask, element: Element) -> Outcome:
        program = task.task_spec.script
        seen = self.variables(task, element) if is_mapped(element) else task.data
        result = None if element.script is None else element.script.result
        if result is None:
            changes = program.execute(seen)
            return scripted(changes.set, changes.deleted)
        value = program.evaluate(seen, outside=task.outside)
        return scripted({result: value})

    def _note(self, task: DrivenTask) -> Callable[[str], None] | None:
        if not self._instance.settings.get("simulate"):
            return None
        return lambda text: self._tell(task, text)

    def _tell(self, task: DrivenTask, text: str) -> None:
        self._instance.log.add(EventType.NOTICE, task.element_id, task.token.branch, message=text)
