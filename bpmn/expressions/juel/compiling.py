"""From the parts of a JUEL expression to closures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

from bpmn.expressions.describe import near, shown
from bpmn.expressions.errors import SyntaxRefused
from bpmn.expressions.failures import EXPECTED, failure
from bpmn.expressions.juel import operations, variables
from bpmn.expressions.juel.coercion import to_truth
from bpmn.expressions.juel.methods import HOLDERS, METHODS, VARIABLES
from bpmn.expressions.juel.tree import Binary, Call, Choice, Field, Item, Literal, Name, Part, Span, Unary
from bpmn.expressions.places import Site, Where
from bpmn.expressions.program import Node
from bpmn.expressions.run import Run
from bpmn.expressions.values import MISSING

_BINARY: Final[Mapping[str, Callable[[Run, Any, Any], Any]]] = {
    "==": operations.equal,
    "!=": operations.not_equal,
    "<": operations.less,
    "<=": operations.less_or_equal,
    ">": operations.greater,
    ">=": operations.greater_or_equal,
    "+": operations.add,
    "-": operations.subtract,
    "*": operations.multiply,
    "/": operations.divide,
    "%": operations.modulo,
}
_SHOWN: Final = 100
_OF_VARIABLES: Final = f"{variables.PREFIXES[-1]}: with " + ", ".join(sorted(variables.FUNCTIONS))


class Compiling:
    """Compiles the expressions of one text; `reads` are the variables that they name."""

    def __init__(self, text: str, where: Where) -> None:
        self._text, self._where = text, where
        self.reads: set[str] = set()

    def site(self, span: Span, *operands: Part) -> Site:
        """The place of a part in the file."""
        first = self._where.line
        line = None if first is None else first + self._text.count("\n", 0, span.start)
        return Site(self._where, line, self._said(span), tuple(self._said(each.span) for each in operands))

    def node(self, part: Part) -> Node:
        """Raises SyntaxRefused."""
        compile_part: Callable[[Any], Node] = _COMPILERS[type(part)].__get__(self)
        return compile_part(part)

    def _said(self, span: Span) -> str:
        return shown(self._text[span.start : span.end], _SHOWN)

    def _literal(self, part: Literal) -> Node:
        return lambda run: part.value

    def _name(self, part: Name) -> Node:
        return self._variable(part.name, part.span)

    def _variable(self, name: str, span: Span) -> Node:
        self.reads.add(name)
        site = self.site(span)

        def read(run: Run) -> Any:
            try:
                return run.read(name)
            except EXPECTED as error:
                raise failure(error, site) from None

        return read

    def _field(self, part: Field) -> Node:
        if isinstance(part.base, Name) and part.base.name in HOLDERS:
            self._refuse(part.span, f"{part.base.name}.{part.name}", "variables by their names")
        base, site = self.node(part.base), self.site(part.span, part.base)
        return _guarded(lambda run: operations.field(run, base(run), part.name), site)

    def _item(self, part: Item) -> Node:
        base, key, site = self.node(part.base), self.node(part.key), self.site(part.span, part.base, part.key)
        return _guarded(lambda run: operations.item(run, base(run), key(run)), site)

    def _unary(self, part: Unary) -> Node:
        operand, site = self.node(part.operand), self.site(part.span, part.operand)
        if part.operator == "empty":
            return lambda run: operations.is_empty(operand(run))
        if part.operator == "!":
            return _guarded(lambda run: not to_truth(operand(run)), site)
        return _guarded(lambda run: operations.negative(run, operand(run)), site)

    def _binary(self, part: Binary) -> Node:
        left, right, site = self.node(part.left), self.node(part.right), self.site(part.span, part.left, part.right)
        if part.operator == "&&":
            return _guarded(lambda run: to_truth(left(run)) and to_truth(right(run)), site)
        if part.operator == "||":
            return _guarded(lambda run: to_truth(left(run)) or to_truth(right(run)), site)
        operation = _BINARY[part.operator]
        return _guarded(lambda run: operation(run, left(run), right(run)), site)

    def _choice(self, part: Choice) -> Node:
        test, then, otherwise = self.node(part.test), self.node(part.then), self.node(part.otherwise)
        return _guarded(
            lambda run: then(run) if to_truth(test(run)) else otherwise(run), self.site(part.span, part.test)
        )

    def _call(self, part: Call) -> Node:
        if part.base is None:
            return self._function(part)
        if isinstance(part.base, Name) and part.base.name in HOLDERS:
            return self._holder(part, part.base.name)
        if part.name not in METHODS:
            what = f"{self._said(part.base.span)}.{part.name}(), a method of a Java object,"
            self._refuse(part.span, what + self._alike(part.name, sorted(METHODS)), ", ".join(sorted(METHODS)))
        least, most, method = METHODS[part.name]
        if not least <= len(part.arguments) <= most:
            self._refuse(part.span, f"{part.name} with {len(part.arguments)} arguments", f"{least} to {most}")
        base, arguments = self.node(part.base), [self.node(each) for each in part.arguments]
        site = self.site(part.span, part.base, *part.arguments)
        return _guarded(lambda run: method(run, base(run), *(argument(run) for argument in arguments)), site)

    def _function(self, part: Call) -> Node:
        """`var:eq(name, value)` and the like, in words of Flowable."""
        prefix, _, name = part.name.rpartition(":")
        if prefix not in variables.PREFIXES or name not in variables.FUNCTIONS:
            known = [f"{each}:{own}" for each in (prefix, "var") for own in sorted(variables.FUNCTIONS)]
            hint = self._alike(part.name, [each for each in known if each.partition(":")[0] in variables.PREFIXES])
            allowed = f"operators, methods of values, and {_OF_VARIABLES}"
            self._refuse(part.span, f"the function {part.name}{hint}", allowed)
        least, most, function = variables.FUNCTIONS[name]
        first, *others = part.arguments or (None,)
        variable = first.name if isinstance(first, Name) else first.value if isinstance(first, Literal) else None
        if type(variable) is not str or not least <= len(others) <= most:
            more = f" and {least} argument{' or more' if most > 1 else ''}" if least else ""
            self._refuse(part.span, f"{part.name} with these arguments", f"the name of a variable{more}")
        self.reads.add(variable)
        arguments = [self.node(each) for each in others]
        site = self.site(part.span, *part.arguments)
        return _guarded(
            lambda run: function(run, run.variables.get(variable, MISSING), *(each(run) for each in arguments)), site
        )

    def _alike(self, name: str, known: list[str]) -> str:
        alike = near(name, known)
        return f" (did you mean {' or '.join(alike)}?)" if alike else ""

    def _holder(self, part: Call, holder: str) -> Node:
        """`execution.getVariable('x')` and the like: a variable, null where there is none."""
        name = part.arguments[0].value if part.arguments and isinstance(part.arguments[0], Literal) else None
        if part.name not in VARIABLES or len(part.arguments) != 1 or type(name) is not str:
            allowed = ", ".join(f"{holder}.{each}('name')" for each in sorted(VARIABLES))
            self._refuse(part.span, f"{holder}.{part.name}()", allowed)
        self.reads.add(name)
        if part.name == "hasVariable":
            return lambda run: run.variables.get(name, MISSING) is not MISSING
        return lambda run: run.variables.get(name)

    def _refuse(self, span: Span, what: str, allowed: str) -> NoReturn:
        raise SyntaxRefused(what, allowed).at(self.site(span))


def _guarded(compute: Node, site: Site) -> Node:
    def guarded(run: Run) -> Any:
        try:
            return compute(run)
        except EXPECTED as error:
            raise failure(error, site) from None

    return guarded


_COMPILERS: Final[Mapping[type, Any]] = {
    Literal: Compiling._literal,
    Name: Compiling._name,
    Field: Compiling._field,
    Item: Compiling._item,
    Unary: Compiling._unary,
    Binary: Compiling._binary,
    Choice: Compiling._choice,
    Call: Compiling._call,
}
