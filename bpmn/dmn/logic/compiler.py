"""From boxed expressions to closures over frames, as FEEL's own expressions are (DMN 1.5, 10.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from bpmn.dmn import model as dmn
from bpmn.dmn.errors import WrongDecision
from bpmn.dmn.logic import iterations, tables
from bpmn.dmn.logic.types import Types
from bpmn.expressions.errors import ENDING, ExpressionError, UnknownFunction
from bpmn.expressions.feel.library.standard import FUNCTIONS
from bpmn.expressions.feel.semantics.calls import Closure
from bpmn.expressions.feel.semantics.compiler import Compiled, Compiler
from bpmn.expressions.feel.semantics.evaluation import Frame
from bpmn.expressions.feel.semantics.mismatch import FeelMismatch
from bpmn.expressions.feel.semantics.tests import Test, separate_tests, unary_tests
from bpmn.expressions.feel.syntax.names import Names
from bpmn.expressions.feel.syntax.parser import parse, parse_tests
from bpmn.expressions.feel.syntax.tree import Tests
from bpmn.expressions.feel.values.functions import FeelFunction
from bpmn.expressions.feel.values.types import ANY, Type, fitted
from bpmn.expressions.feel.values.weight import weigh
from bpmn.expressions.places import Site, Where


class LogicCompiler:
    """Compiles the logic of one element of a model. Raises ExpressionError and WrongDecision as it goes.

    `unknown` are the calls of functions that neither FEEL nor the model has, which give null.
    """

    def __init__(self, model: dmn.DecisionModel, types: Types, names: Names, element: str) -> None:
        self.model, self.types, self.element = model, types, element
        self.unknown: list[UnknownFunction] = []
        self._names = names
        self._functions = {*FUNCTIONS, *(" ".join(name.split()) for name in model.names)}

    def boxed(self, part: dmn.Boxed | None) -> Compiled:
        """An expression; null where there is none."""
        if part is None:
            return lambda frame: None
        return _COMPILERS[type(part)](self, part)

    def feel(self, text: dmn.Text) -> Compiled:
        compiler = self._compiler(text)
        return compiler.node(parse(text.text, compiler.where, Names(base=self._names)))

    def tests(self, text: dmn.Text) -> Test:
        """Whether a value passes the tests of a cell."""
        return unary_tests(*self._tests(text))

    def each_test(self, text: dmn.Text) -> list[Test]:
        """The tests of a cell one by one."""
        return separate_tests(*self._tests(text))

    def _tests(self, text: dmn.Text) -> tuple[Compiler, Tests]:
        compiler = self._compiler(text)
        return compiler, parse_tests(text.text, compiler.where, Names(base=self._names))

    def _compiler(self, text: dmn.Text) -> Compiler:
        return Compiler(text.text, self._where(text), self.types, self._functions, self.unknown)

    def type(self, name: str | None, line: int | None = None) -> Type:
        return self.types.named(name, self.element, line)

    def fit(self, value: Compiled, name: str | None, what: str) -> Compiled:
        """The value as the named type has it; null, and a note, where it is not of the type."""
        wanted = self.type(name)
        if wanted is ANY:
            return value

        def fit(frame: Frame) -> Any:
            given = value(frame)
            weigh(given, frame.evaluation.charge)
            found, fits = fitted(given, wanted)
            if not fits:
                self.note(frame, FeelMismatch(f"a value of type {name}", given), what)
            return found

        return fit

    def note(self, frame: Frame, error: ExpressionError, what: str) -> None:
        """Note that `what`, a part of the element, went wrong."""
        if not frame.evaluation.notes_full:
            frame.evaluation.note(error.at(Site(Where(self.model.file, self.element), None, what)))

    def _where(self, text: dmn.Text) -> Where:
        if text.language is not None:
            message = "only FEEL is run in decisions"
            raise WrongDecision(
                message, file=self.model.file, element=self.element, line=text.line, found=text.language, allowed="FEEL"
            )
        return Where(file=self.model.file, element=self.element, line=text.line)


def _literal(compiler: LogicCompiler, part: dmn.LiteralExpression) -> Compiled:
    return compiler.feel(part.text)


def _context(compiler: LogicCompiler, part: dmn.BoxedContext) -> Compiled:
    """Entries see those before them; one without a name is the result, in place of the context."""
    entries: list[tuple[str, Compiled]] = []
    result: Compiled | None = None
    for entry in part.entries:
        value = compiler.boxed(entry.value)
        if entry.variable is None:
            result = value
        else:
            name = entry.variable.name
            entries.append((name, compiler.fit(value, entry.variable.type, name)))

    def make(frame: Frame) -> Any:
        made: dict[str, Any] = {}
        inner = frame.inner(made)
        for name, value in entries:
            found = value(inner)
            made[name] = _renamed(found, name)
        return made if result is None else result(inner)

    return make


def _renamed(value: Any, name: str) -> Any:
    """A function is called by messages what its entry is called."""
    if type(value) is Closure:
        value.name = name
    return value


def _invocation(compiler: LogicCompiler, part: dmn.Invocation) -> Compiled:
    function = compiler.boxed(part.function)
    bindings = [(name, compiler.boxed(value)) for name, value in part.bindings]
    what = part.function.text.text if isinstance(part.function, dmn.LiteralExpression) else "invocation"

    def invoke(frame: Frame) -> Any:
        found = function(frame)
        if not isinstance(found, FeelFunction):
            compiler.note(frame, FeelMismatch("a function", found), what)
            return None
        arguments = {name: value(frame) for name, value in bindings}
        try:
            return found.call_named(frame.evaluation, arguments) if arguments else found.call(frame.evaluation, [])
        except ENDING:
            raise
        except ExpressionError as error:
            compiler.note(frame, error, what)
            return None

    return invoke


def _list(compiler: LogicCompiler, part: dmn.BoxedList) -> Compiled:
    items = [compiler.boxed(item) for item in part.items]
    return lambda frame: [item(frame) for item in items]


def _relation(compiler: LogicCompiler, part: dmn.Relation) -> Compiled:
    rows = [
        [
            (column.name, compiler.fit(compiler.boxed(cell), column.type, column.name))
            for column, cell in zip(part.columns, row, strict=False)
        ]
        for row in part.rows
    ]
    return lambda frame: [{name: cell(frame) for name, cell in row} for row in rows]


def function(compiler: LogicCompiler, part: dmn.FunctionDefinition, name: str = "the function") -> Compiled:
    """A function that sees the names of the frame it is made in."""
    parameters = [(parameter.name, compiler.type(parameter.type)) for parameter in part.parameters]
    body = compiler.boxed(part.body)
    return lambda frame: Closure(name, parameters, body, frame)


def _conditional(compiler: LogicCompiler, part: dmn.Conditional) -> Compiled:
    condition, then = compiler.boxed(part.condition), compiler.boxed(part.then)
    otherwise = compiler.boxed(part.otherwise)

    def choose(frame: Frame) -> Any:
        found = condition(frame)
        if found is not None and type(found) is not bool:
            compiler.note(frame, FeelMismatch("true or false", found), "if")
            return None
        return then(frame) if found is True else otherwise(frame)

    return choose


_COMPILERS: Final[Mapping[type, Callable[[LogicCompiler, Any], Compiled]]] = MappingProxyType({
    dmn.LiteralExpression: _literal,
    dmn.Table: tables.table,
    dmn.BoxedContext: _context,
    dmn.Invocation: _invocation,
    dmn.BoxedList: _list,
    dmn.Relation: _relation,
    dmn.FunctionDefinition: function,
    dmn.Conditional: _conditional,
    dmn.BoxedFilter: iterations.filtered,
    dmn.BoxedIterator: iterations.iterated,
})
