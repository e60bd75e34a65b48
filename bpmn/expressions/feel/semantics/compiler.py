"""From a tree to closures: each is called with a frame and gives its value."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, Final

from bpmn.expressions.describe import shown
from bpmn.expressions.errors import ExpressionError, UnknownFunction
from bpmn.expressions.feel.semantics import access, calls, collections, logic, loops, operators, tests, type_names
from bpmn.expressions.feel.semantics.evaluation import Frame
from bpmn.expressions.feel.syntax import tree
from bpmn.expressions.places import Site, Where

Compiled = Callable[[Frame], Any]
NO_TYPES: Final[type_names.Types] = MappingProxyType({})


class Compiler:
    """Compiles the parts of one text. `reads` are the names that nothing in the text gives a value, `unknown` the calls
    of functions that neither `functions` nor the text has: as it runs each of them is null.
    """

    def __init__(
        self,
        text: str,
        where: Where,
        types: type_names.Types = NO_TYPES,
        functions: Collection[str] | None = None,
        unknown: list[UnknownFunction] | None = None,
    ) -> None:
        """Without `functions` nothing is known of what may be called. `unknown` may be a list of several compilers."""
        self.text, self.where, self.types = text, where, types
        self.reads: set[str] = set()
        self.unknown: list[UnknownFunction] = [] if unknown is None else unknown
        self.makes_functions, self.filters = False, 0
        self._functions = functions
        self._bound: list[frozenset[str] | set[str]] = []
        self._callable: list[frozenset[str]] = []

    def node(self, part: tree.Node) -> Compiled:
        compiled: Compiled = _COMPILERS[type(part)](self, part)
        return compiled

    def read(self, name: str) -> None:
        """Remember a name as read, unless a part around gives it."""
        if not any(name in names for names in self._bound):
            self.reads.add(name)

    def called(self, part: tree.Name) -> None:
        """Remember what is called by a name that nothing gives; in a filter an item may have a function made here."""
        known = self._functions
        if known is None or part.name in known or any(part.name in each for each in (*self._bound, *self._callable)):
            return
        if not (self.filters and self.makes_functions):
            error = UnknownFunction(part.name, known)
            error.at(self.site(part))
            self.unknown.append(error)

    @contextmanager
    def binding(
        self, names: frozenset[str] | set[str], callable: frozenset[str] = frozenset()
    ) -> Iterator[None]:
        """Inside, these names have values; what is `callable` may have one by the time that a function is called."""
        self._bound.append(names)
        self._callable.append(callable)
        try:
            yield
        finally:
            self._bound.pop()
            self._callable.pop()

    def note(self, part: tree.Node, *operands: tree.Node) -> Callable[[Frame, ExpressionError], None]:
        """How to note that `part` went wrong; only the first notes of an evaluation are kept, and placed."""

        def note(frame: Frame, error: ExpressionError) -> None:
            evaluation = frame.evaluation
            if not evaluation.notes_full:
                evaluation.notes.append(error.at(self.site(part, *operands)))

        return note

    def site(self, part: tree.Node, *operands: tree.Node) -> Site:
        line = None if self.where.line is None else self.where.line + self.text.count("\n", 0, part.start)
        return Site(self.where, line, self._shown(part), tuple(map(self._shown, operands)))

    def _shown(self, part: tree.Node) -> str:
        return shown(" ".join(self.text[part.start : part.end].split()), 100)


_COMPILERS: Final[Mapping[type, Callable[[Compiler, Any], Compiled]]] = MappingProxyType({
    tree.Constant: access.constant,
    tree.Name: access.name,
    tree.Group: lambda compiler, part: compiler.node(part.inner),
    tree.Path: access.path,
    tree.Filter: collections.filtered,
    tree.Call: calls.call,
    tree.Chain: operators.chain,
    tree.Negation: operators.negation,
    tree.Comparison: logic.comparison,
    tree.Between: logic.between,
    tree.Logic: logic.logic,
    tree.If: logic.choice,
    tree.In: tests.contained,
    tree.OneSided: collections.one_sided,
    tree.InstanceOf: type_names.instance_of,
    tree.For: loops.loop,
    tree.Quantified: loops.quantified,
    tree.FunctionNode: calls.function,
    tree.ContextNode: collections.context,
    tree.ListNode: collections.items,
    tree.RangeNode: collections.span,
})
