"""Business knowledge models and decision services as functions of FEEL (DMN 1.5, 10.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bpmn.dmn.model import Knowledge, Reference, Service
from bpmn.expressions.errors import InvalidValue
from bpmn.expressions.feel.semantics.calls import Closure
from bpmn.expressions.feel.semantics.evaluation import Evaluation
from bpmn.expressions.feel.semantics.mismatch import FeelMismatch
from bpmn.expressions.feel.values.functions import FeelFunction
from bpmn.expressions.feel.values.types import FunctionOf, Type, fitted
from bpmn.expressions.feel.values.weight import weigh

if TYPE_CHECKING:
    from bpmn.dmn.logic.deciding import Deciding


class KnowledgeFunction(FeelFunction):
    """A business knowledge model, which sees the knowledge that it requires and nothing else."""

    __slots__ = ("_deciding", "_part", "_reference")

    def __init__(self, reference: Reference, part: Knowledge, deciding: Deciding) -> None:
        super().__init__(part.name)
        self._reference, self._part, self._deciding = reference, part, deciding

    def arity(self) -> tuple[int, int]:
        count = 0 if self._part.logic is None else len(self._part.logic.parameters)
        return count, count

    def parameter_types(self) -> tuple[Type, ...]:
        return tuple(kind for _, kind in self._deciding.library.knowledge(self._reference).parameters)

    def call(self, evaluation: Evaluation, arguments: Sequence[Any]) -> Any:
        return self._given(self._closure().call(evaluation, arguments))

    def call_named(self, evaluation: Evaluation, arguments: Mapping[str, Any]) -> Any:
        return self._given(self._closure().call_named(evaluation, arguments))

    def _closure(self) -> Closure:
        logic = self._deciding.library.knowledge(self._reference)
        knowledge = (*self._part.knowledge, self._reference)
        frame = self._deciding.frame(self._reference.namespace, self._part.id, (), knowledge)
        return Closure(self.name, logic.parameters, logic.value, frame)

    def _given(self, value: Any) -> Any:
        wanted = self._deciding.library.knowledge(self._reference).type
        if isinstance(wanted, FunctionOf):
            return value
        weigh(value, self._deciding.evaluation.charge)
        found, fits = fitted(value, wanted)
        if not fits:
            raise FeelMismatch(f"a value of the type of {self.name}", value)
        return found


class ServiceFunction(FeelFunction):
    """A decision service: its arguments stand for its inputs."""

    __slots__ = ("_deciding", "_part", "_reference")

    def __init__(self, reference: Reference, part: Service, deciding: Deciding) -> None:
        super().__init__(part.name)
        self._reference, self._part, self._deciding = reference, part, deciding

    def arity(self) -> tuple[int, int]:
        count = len(self._part.input_data) + len(self._part.input_decisions)
        return count, count

    def call(self, evaluation: Evaluation, arguments: Sequence[Any]) -> Any:
        inputs = self._inputs()
        if len(arguments) != len(inputs):
            raise InvalidValue(f"{self.name} takes {', '.join(inputs) or 'nothing'}, not {len(arguments)} arguments")
        return self._deciding.within(dict(zip(inputs.values(), arguments, strict=True))).service(self._reference)

    def call_named(self, evaluation: Evaluation, arguments: Mapping[str, Any]) -> Any:
        inputs = self._inputs()
        unknown = arguments.keys() - inputs.keys()
        if unknown:
            raise InvalidValue(f"{self.name} takes {', '.join(inputs) or 'nothing'}, not {', '.join(sorted(unknown))}")
        return self.call(evaluation, [arguments.get(name) for name in inputs])

    def _inputs(self) -> dict[str, Reference]:
        """By parameter, what it stands for: input data, then decisions."""
        references = (*self._part.input_data, *self._part.input_decisions)
        return {self._deciding.variable(each, self._reference).name: each for each in references}
