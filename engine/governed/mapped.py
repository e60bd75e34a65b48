"""Activities with mappings, and scripts: what they see, and what of theirs comes out."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping
from typing import Any

from bpmn.definition import Element
from bpmn.expressions.errors import ExpressionError
from engine.activities.work import Outcome, scripted
from engine.events import EventType
from engine.instance import Instance
from engine.mappings import is_mapped
from engine.spiff.task import DrivenTask
from governance.vocabulary import Producer


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
            return outcome._replace(outputs=kept, deleted=outcome.deleted - inputs.keys())
        seen = ChainMap(inputs, task.data)
        outside = task.outside
        found = self._instance.index.mappings(element).outputs(seen, outcome.outputs, outside, self._note(task))
        return outcome._replace(outputs=found, deleted=frozenset())

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
