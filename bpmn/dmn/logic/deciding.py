"""One evaluation of decisions: each is decided once, after what it requires (DMN 1.5, 10.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bpmn.dmn.logic.functions import KnowledgeFunction, ServiceFunction
from bpmn.dmn.logic.inputs import as_declared
from bpmn.dmn.logic.library import Library
from bpmn.dmn.model import Decision, InputData, Knowledge, Reference, Service, Variable
from bpmn.expressions.feel.library.standard import FUNCTIONS
from bpmn.expressions.feel.semantics.evaluation import Evaluation, Frame
from bpmn.expressions.feel.semantics.mismatch import FeelMismatch
from bpmn.expressions.feel.values.types import ANY, FunctionOf, Type, fitted
from bpmn.expressions.feel.values.weight import weigh
from bpmn.expressions.places import Site, Where


class Deciding:
    """Values of decisions and input data, by reference, as they are needed.

    `given` has values that are known from the start; other input data are read from `variables` by their names, and
    are null where there is no such variable.
    """

    def __init__(
        self,
        library: Library,
        evaluation: Evaluation,
        variables: Mapping[str, Any],
        given: Mapping[Reference, Any] | None = None,
    ) -> None:
        self.library, self.evaluation = library, evaluation
        self._variables = variables
        self._root = Frame(evaluation, FUNCTIONS, None)
        self._open = Frame(evaluation, variables, self._root)
        self._values: dict[Reference, Any] = {}
        for reference, value in (given or {}).items():
            self._values[reference] = self._fit(value, reference, self._type_of(reference))

    def within(self, given: Mapping[Reference, Any]) -> Deciding:
        """An evaluation apart from this one, which knows these values and no variables."""
        return Deciding(self.library, self.evaluation, {}, given)

    def value(self, reference: Reference) -> Any:
        """The value of a decision, decision service or input. Raises ExpressionError, WrongDecision."""
        model = self.library.models[reference.namespace]
        if reference.id in model.services:
            return self.service(reference)
        if reference.id in model.knowledge:
            return self._knowledge(reference)
        if reference in self._values:
            return self._values[reference]
        if reference.id in model.inputs:
            return self._input(reference, model.inputs[reference.id])
        for each in self.library.order(reference):
            if each not in self._values:
                self._values[each] = self._decide(each)
        return self._values[reference]

    def service(self, reference: Reference) -> Any:
        """What a decision service gives: its output decision's value, or a context of several."""
        service = self.library.models[reference.namespace].services[reference.id]
        for each in service.input_decisions:
            name = self.variable(each, reference).name
            if each not in self._values and name in self._variables:
                self._values[each] = self._fit(self._variables[name], each, self._type_of(each))
        if len(service.outputs) == 1:
            given = self.value(service.outputs[0])
        else:
            given = {self.variable(each, reference).name: self.value(each) for each in service.outputs}
        wanted = self._type_of(reference)
        return given if isinstance(wanted, FunctionOf) else self._fit(given, reference, wanted)

    def _knowledge(self, reference: Reference) -> Any:
        """What a knowledge model gives for the variables called as its parameters are, null where there are none."""
        part = self.library.models[reference.namespace].knowledge[reference.id]
        parameters = self.library.knowledge(reference).parameters
        arguments = [as_declared(self._variables.get(name), wanted) for name, wanted in parameters]
        return KnowledgeFunction(reference, part, self).call(self.evaluation, arguments)

    def frame(
        self, namespace: str, element: str, information: Sequence[Reference], knowledge: Sequence[Reference]
    ) -> Frame:
        """The names that an element of a model sees: what it requires, behind the import's name if it is imported."""
        model = self.library.models[namespace]
        imports = {each.namespace: each.name for each in model.imports}
        names: dict[str, Any] = {}
        for reference in (*information, *knowledge):
            part = self.library.part(reference, model, element)
            prefix = "" if reference.namespace == namespace else imports.get(reference.namespace, "")
            place = names.setdefault(prefix, {}) if prefix else names
            place[part.variable.name] = self._named(reference, part)
        return Frame(self.evaluation, names, self._root if model.inputs else self._open)

    def variable(self, reference: Reference, asker: Reference) -> Variable:
        model = self.library.models[asker.namespace]
        return self.library.part(reference, model, asker.id).variable

    def _named(self, reference: Reference, part: Decision | InputData | Knowledge | Service) -> Any:
        if isinstance(part, Knowledge):
            return KnowledgeFunction(reference, part, self)
        if isinstance(part, Service):
            return ServiceFunction(reference, part, self)
        return self.value(reference)

    def _decide(self, reference: Reference) -> Any:
        decision = self.library.models[reference.namespace].decisions[reference.id]
        logic = self.library.decision(reference)
        frame = self.frame(reference.namespace, decision.id, decision.information, decision.knowledge)
        self.evaluation.charge(1)
        return self._fit(logic.value(frame), reference, logic.type)

    def _input(self, reference: Reference, part: InputData) -> Any:
        wanted = self._type_of(reference)
        value = self._values[reference] = self._fit(as_declared(self._read(reference, part), wanted), reference, wanted)
        return value

    def _read(self, reference: Reference, part: InputData) -> Any:
        """The variable of this name; for what is imported, also that entry of a variable called as the import is."""
        name = part.variable.name
        for model in self.library.models.values():
            for each in model.imports:
                if each.namespace == reference.namespace and each.name in self._variables:
                    inner = self._variables[each.name]
                    if type(inner) is dict and name in inner:
                        return inner[name]
        return self._variables.get(name)

    def _type_of(self, reference: Reference) -> Type:
        model = self.library.models[reference.namespace]
        part = self.library.part(reference, model, reference.id)
        return self.library.types(model).named(part.variable.type, reference.id, part.line)

    def _fit(self, value: Any, reference: Reference, wanted: Type) -> Any:
        if wanted is not ANY:
            weigh(value, self.evaluation.charge)
        found, fits = fitted(value, wanted)
        if not fits and not self.evaluation.notes_full:
            model = self.library.models[reference.namespace]
            part = self.library.part(reference, model, reference.id)
            site = Site(Where(model.file, reference.id, part.line), part.line, part.variable.name)
            self.evaluation.note(FeelMismatch(f"a value of type {part.variable.type}", value).at(site))
        return found


