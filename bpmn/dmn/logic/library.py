"""Decision models together: names across them, and their logic, compiled when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from bpmn.dmn.errors import AmbiguousDecision, UnknownDecision, WrongDecision
from bpmn.dmn.logic.compiler import LogicCompiler
from bpmn.dmn.logic.types import Types
from bpmn.dmn.model import (
    Boxed,
    Decision,
    DecisionModel,
    InputData,
    Knowledge,
    Reference,
    Service,
    Table,
)
from bpmn.expressions.errors import UnknownFunction
from bpmn.expressions.failures import failure
from bpmn.expressions.feel.library.standard import KNOWN
from bpmn.expressions.feel.semantics.compiler import Compiled
from bpmn.expressions.feel.syntax.names import Names
from bpmn.expressions.feel.values.types import Type
from bpmn.expressions.places import Site, Where

Part = Decision | InputData | Knowledge | Service

MOST_IMPORTS: Final = 50
"""Imports of imports that are followed."""


class Logic(NamedTuple):
    """The logic of a decision or knowledge model: its value (of knowledge its body's), and types."""

    value: Compiled
    type: Type
    parameters: tuple[tuple[str, Type], ...] = ()


class Library:
    """The models of several files.

    Names are looked up in the model that uses them; what is imported stands behind the import's name.
    """

    def __init__(self, models: Iterable[DecisionModel]) -> None:
        self.models: dict[str, DecisionModel] = {}
        for model in models:
            self.models.setdefault(model.namespace, model)
        self._types: dict[str, Types] = {}
        self._names: dict[str, Names] = {}
        self._logic: dict[Reference, Logic] = {}
        self.unknown: list[UnknownFunction] = []
        """Calls of functions that are not there, in what was compiled so far."""
        self._orders: dict[Reference, tuple[Reference, ...]] = {}

    def find(self, name: str, *, file: str, element: str | None = None, among: str | None = None) -> Reference:
        """The decision, decision service or knowledge model of this id, else name; `among` is one model's namespace.

        Raises UnknownDecision, AmbiguousDecision; `file` and `element` are who asks.
        """
        models = [self.models[among]] if among in self.models else list(self.models.values())
        for fits in (_has_id, _is_named):
            found = [Reference(m.namespace, key) for m in models for key in _invocable(m) if fits(m, key, name)]
            if len({reference.namespace for reference in found}) > 1:
                files = [self.models[reference.namespace].file for reference in found]
                raise AmbiguousDecision(name, files, file=file, element=element)
            if found:
                return found[0]
        known = [label for m in models for key, part in _invocable(m).items() for label in (key, part.name)]
        raise UnknownDecision(name, known, file=file, element=element)

    def part(self, reference: Reference, asker: DecisionModel, element: str) -> Part:
        """What a reference refers to. Raises WrongDecision where it refers to nothing."""
        model = self.models.get(reference.namespace)
        if model is not None:
            for parts in (model.decisions, model.inputs, model.knowledge, model.services):
                if reference.id in parts:
                    return parts[reference.id]
        message = f"it requires {reference.id}, which no file has" if model else f"no file is {reference.namespace}"
        raise WrongDecision(message, file=asker.file, element=element, line=_line(asker, element))

    def order(self, reference: Reference) -> tuple[Reference, ...]:
        """The decisions that a decision rests on and itself, each after those it requires.

        Raises WrongDecision for decisions that require one another, and for requirements of nothing.
        """
        known = self._orders.get(reference)
        if known is None:
            known = self._orders[reference] = tuple(self._ordered(reference))
        return known

    def _ordered(self, root: Reference) -> Iterable[Reference]:
        done: dict[Reference, None] = {}
        open_: dict[Reference, None] = {}
        todo = [root]
        while todo:
            current = todo[-1]
            if current in done:
                todo.pop()
                continue
            required = [each for each in self._required(current) if each not in done]
            if not required:
                done[current] = None
                open_.pop(current, None)
                todo.pop()
                continue
            open_[current] = None
            again = next((each for each in required if each in open_), None)
            if again is not None:
                model = self.models[again.namespace]
                line = _line(model, again.id)
                raise WrongDecision("the decision requires itself", file=model.file, element=again.id, line=line)
            todo += required
        return done

    def _required(self, reference: Reference) -> list[Reference]:
        model = self.models[reference.namespace]
        decision = model.decisions[reference.id]
        return [
            each for each in decision.information if isinstance(self.part(each, model, decision.id), Decision)
        ]

    def decision(self, reference: Reference) -> Logic:
        """Raises ExpressionError, WrongDecision."""

        def compiled(model: DecisionModel, compiler: LogicCompiler) -> Logic:
            decision = model.decisions[reference.id]
            wanted = compiler.type(decision.variable.type, decision.line)
            return Logic(compiler.boxed(_with_values(decision, compiler.types)), wanted)

        return self._compiled(reference, compiled)

    def knowledge(self, reference: Reference) -> Logic:
        """Raises ExpressionError, WrongDecision."""

        def compiled(model: DecisionModel, compiler: LogicCompiler) -> Logic:
            knowledge = model.knowledge[reference.id]
            logic = knowledge.logic
            parameters = () if logic is None else logic.parameters
            typed = tuple((each.name, compiler.type(each.type, knowledge.line)) for each in parameters)
            body = None if logic is None else logic.body
            return Logic(compiler.boxed(body), compiler.type(knowledge.variable.type, knowledge.line), typed)

        return self._compiled(reference, compiled)

    def _compiled(self, reference: Reference, compile_: Callable[[DecisionModel, LogicCompiler], Logic]) -> Logic:
        found = self._logic.get(reference)
        if found is None:
            model = self.models[reference.namespace]
            compiler = LogicCompiler(model, self.types(model), self._names_of(model), reference.id)
            try:
                found = self._logic[reference] = compile_(model, compiler)
                self.unknown += compiler.unknown
            except RecursionError as error:
                raise failure(error, Site(Where(model.file, reference.id), None, reference.id)) from None
        return found

    def types(self, model: DecisionModel, depth: int = 0) -> Types:
        found = self._types.get(model.namespace)
        if found is None:
            imported: dict[str, Types] = {}
            found = self._types[model.namespace] = Types(model, imported)
            for each in model.imports:
                if each.namespace in self.models and depth < MOST_IMPORTS:
                    imported[each.name] = self.types(self.models[each.namespace], depth + 1)
        return found

    def _names_of(self, model: DecisionModel) -> Names:
        found = self._names.get(model.namespace)
        if found is None:
            imported = [self.models[each.namespace] for each in model.imports if each.namespace in self.models]
            names = [*model.names, *(name for each in imported for name in each.names)]
            found = self._names[model.namespace] = Names(names, KNOWN)
        return found


def _invocable(model: DecisionModel) -> Mapping[str, Decision | Service | Knowledge]:
    return {**model.knowledge, **model.services, **model.decisions}


def _line(model: DecisionModel, element: str) -> int | None:
    parts = (model.decisions, model.knowledge, model.services, model.inputs)
    return next((each[element].line for each in parts if element in each), None)


def _has_id(model: DecisionModel, key: str, wanted: str) -> bool:
    return key == wanted


def _is_named(model: DecisionModel, key: str, wanted: str) -> bool:
    part = _invocable(model)[key]
    return wanted in (part.name, part.variable.name)


def _with_values(decision: Decision, types: Types) -> Boxed | None:
    """The logic; a table with one output that states no values has those of the decision's type."""
    logic = decision.logic
    if not isinstance(logic, Table) or len(logic.outputs) != 1:
        return logic
    output, item = logic.outputs[0], types.item(decision.variable.type)
    if output.values is not None or output.type is not None or item is None:
        return logic
    return replace(logic, outputs=(replace(output, values=item.allowed),))
