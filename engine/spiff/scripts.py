"""The script engine of a driven instance: programs compiled when the definition was built, nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bpmn.expressions.errors import MissingVariable
from bpmn.expressions.program import Program
from engine.spiff.task import DrivenTask


class Programs:
    """Evaluates compiled programs over the variables a token sees."""

    simulated = False

    def evaluate(self, task: DrivenTask, program: Program, external_context: Mapping[str, Any] | None = None) -> Any:
        return program.evaluate(task.data, outside=task.outside)

    def holds(self, task: DrivenTask, program: Program, besides: Mapping[str, Any] | None = None) -> bool:
        """Whether a condition is true; `besides` are names that stand in front of the variables, as counts do."""
        variables = Overlay(task.data, besides) if besides else task.data
        return program.holds(variables, outside=task.outside)

    def takes(self, task: DrivenTask, condition: FlowCondition) -> bool:
        """Whether a flow is taken."""
        return self.holds(task, condition.program)

    def passes_over_time(self, task: DrivenTask, error: Exception, *, beside: bool) -> bool:
        """Whether a timer waits without a time, as it cannot be computed; `beside` something that goes on."""
        return False

    def collection(self, name: str) -> list[Any]:
        """What stands for a collection that is not there. Raises MissingVariable."""
        raise MissingVariable(name)


class Overlay(Mapping[str, Any]):
    """Variables with a few names in front of them, made in constant time."""

    def __init__(self, below: Mapping[str, Any], above: Mapping[str, Any]) -> None:
        self._below, self._above = below, above

    def __getitem__(self, name: str) -> Any:
        return self._above[name] if name in self._above else self._below[name]

    def __contains__(self, name: object) -> bool:
        return name in self._above or name in self._below

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._above, *self._below}))

    def __len__(self) -> int:
        return len({*self._above, *self._below})


class FlowCondition:
    """The condition of a sequence flow."""

    def __init__(self, program: Program, flow: str) -> None:
        self.program, self.flow = program, flow

    def _matches(self, task: DrivenTask) -> bool:
        engine: Programs = task.workflow.script_engine
        return engine.takes(task, self)


class Always:
    """A flow without a condition that is not the default one: taken when its turn comes."""

    def _matches(self, task: DrivenTask) -> bool:
        return True


class VariableRef:
    """A multi-instance collection named by a variable."""

    def __init__(self, name: str) -> None:
        self.bpmn_id, self.names = name, frozenset({name})

    def exists(self, task: DrivenTask) -> bool:
        return self.bpmn_id in task.data or task.workflow.script_engine.simulated

    def get(self, task: DrivenTask) -> Any:
        found = task.data.get(self.bpmn_id)
        engine: Programs = task.workflow.script_engine
        return engine.collection(self.bpmn_id) if engine.simulated and not isinstance(found, list | dict) else found


class ExpressionRef:
    """A multi-instance collection given by an expression."""

    def __init__(self, program: Program) -> None:
        self.program, self.bpmn_id = program, program.site.text
        self.names = program.names

    def exists(self, task: DrivenTask) -> bool:
        return True

    def get(self, task: DrivenTask) -> Any:
        engine: Programs = task.workflow.script_engine
        if not engine.simulated:
            return self.program.evaluate(task.data, outside=task.outside)
        found = engine.evaluate(task, self.program)
        return found if isinstance(found, list | dict) else engine.collection("item")
