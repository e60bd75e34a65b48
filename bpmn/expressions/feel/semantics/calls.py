"""Functions written in FEEL, and calls (DMN 1.5, 10.3.2.13)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bpmn.expressions.errors import ENDING, ExpressionError, InvalidValue, UnknownFunction
from bpmn.expressions.feel.semantics.evaluation import Evaluation, Frame
from bpmn.expressions.feel.semantics.mismatch import FeelMismatch
from bpmn.expressions.feel.semantics.type_names import parameter_type
from bpmn.expressions.feel.syntax import tree
from bpmn.expressions.feel.values.functions import FeelFunction
from bpmn.expressions.feel.values.types import ANY, Type, fitted
from bpmn.expressions.feel.values.weight import weigh
from bpmn.expressions.values import MISSING

if TYPE_CHECKING:
    from bpmn.expressions.feel.semantics.compiler import Compiled, Compiler


class Closure(FeelFunction):
    """A function with a body, and the names that it sees from where it was made."""

    __slots__ = ("_body", "_frame", "_parameters")

    def __init__(self, name: str, parameters: Sequence[tuple[str, Type]], body: Compiled, frame: Frame) -> None:
        super().__init__(name)
        self._parameters, self._body, self._frame = parameters, body, frame

    def arity(self) -> tuple[int, int]:
        return len(self._parameters), len(self._parameters)

    def parameter_types(self) -> tuple[Type, ...]:
        return tuple(kind for _, kind in self._parameters)

    def parameters(self) -> list[str]:
        return [name for name, _ in self._parameters]

    def call(self, evaluation: Evaluation, arguments: Sequence[Any]) -> Any:
        if len(arguments) != len(self._parameters):
            wanted = ", ".join(self.parameters()) or "none"
            raise InvalidValue(f"{self.name} takes {len(self._parameters)} arguments ({wanted}), not {len(arguments)}")
        evaluation.charge(1)
        names = {}
        for (name, wanted_type), argument in zip(self._parameters, arguments, strict=True):
            if wanted_type is ANY:
                names[name] = argument
                continue
            weigh(argument, evaluation.charge)
            names[name], fits = fitted(argument, wanted_type)
            if not fits:
                raise FeelMismatch(f"a value of the type of {name}", argument)
        return self._body(Frame(evaluation, names, self._frame))

    def call_named(self, evaluation: Evaluation, arguments: Mapping[str, Any]) -> Any:
        unknown = arguments.keys() - set(self.parameters())
        if unknown:
            raise InvalidValue(f"{self.name} takes {', '.join(self.parameters())}, not {', '.join(sorted(unknown))}")
        # What is not passed by name is null (DMN 1.5, 10.3.2.13.5).
        return self.call(evaluation, [arguments.get(name) for name in self.parameters()])


def function(compiler: Compiler, part: tree.FunctionNode) -> Compiled:
    compiler.makes_functions = True
    parameters = [(name, parameter_type(compiler, kind)) for name, kind in part.parameters]
    with compiler.binding({name for name, _ in parameters}):
        body = compiler.node(part.body)
    return lambda frame: Closure("the function", parameters, body, frame)


def call(compiler: Compiler, part: tree.Call) -> Compiled:
    find, note = _finder(compiler, part.function), compiler.note(part)
    arguments, names = [compiler.node(argument) for argument in part.arguments], part.names

    def invoke(frame: Frame) -> Any:
        found = find(frame)
        if found is None:
            return None
        values = [argument(frame) for argument in arguments]
        try:
            if names is None:
                return found.call(frame.evaluation, values)
            return found.call_named(frame.evaluation, dict(zip(names, values, strict=True)))
        except ENDING as error:
            raise error.at(compiler.site(part)) from None
        except ExpressionError as error:
            note(frame, error)
            return None

    return invoke


def _finder(compiler: Compiler, part: tree.Node) -> Callable[[Frame], FeelFunction | None]:
    note = compiler.note(part)
    if isinstance(part, tree.Name):
        # No process variable is a function: what is called may be named as one is, and is none that is read.
        name = part.name
        compiler.called(part)

        def named(frame: Frame) -> FeelFunction | None:
            found = frame.find(name, variables=False)
            if isinstance(found, FeelFunction):
                return found
            if not frame.evaluation.notes_full:
                note(frame, _no_function(name, found, frame))
            return None

        return named
    value = compiler.node(part)

    def computed(frame: Frame) -> FeelFunction | None:
        found = value(frame)
        if isinstance(found, FeelFunction):
            return found
        note(frame, FeelMismatch("a function", found))
        return None

    return computed


def _no_function(name: str, found: Any, frame: Frame) -> ExpressionError:
    if found is not MISSING:
        return FeelMismatch("a function", found)
    return UnknownFunction(name, frame.built_in())
