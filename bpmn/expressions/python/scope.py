"""What is known while one text is compiled: its grammar, its names, how deep it is."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

from bpmn.expressions.errors import SyntaxRefused
from bpmn.expressions.places import Site
from bpmn.expressions.program import Node
from bpmn.expressions.python.refusals import EXPRESSIONS, STATEMENTS, construct
from bpmn.expressions.python.source import Part, Source
from bpmn.expressions.run import Run

MAX_DEPTH = 100
"""Levels of parts inside one another; each is a call or two when it runs."""

Statement = Callable[[Run], object]
"""A compiled statement: None, or the signal BREAK or CONTINUE."""
Store = Callable[[Run, Any], None]
"""A compiled target of an assignment: called with a run and the value."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """The constructs that are allowed, each with the function that compiles it. What is not here is refused."""

    expressions: Mapping[type[ast.AST], Callable[[Any, Scope], Node]]
    statements: Mapping[type[ast.AST], Callable[[Any, Scope], Statement]]


class Scope:
    """Compiles the parts of one text by the grammar, and keeps what it learns of their names."""

    def __init__(self, source: Source, grammar: Grammar) -> None:
        self._source = source
        self._grammar = grammar
        self._depth = 0
        self._locals: dict[str, str] = {}
        self._local_count = 0
        self.loops = 0
        """Loops around the statement being compiled."""
        self.reads: set[str] = set()
        self.writes: set[str] = set()

    @property
    def changes(self) -> bool:
        """Whether the text may change anything: a script may, a condition not."""
        return bool(self._grammar.statements)

    def expression(self, node: ast.expr) -> Node:
        """Raises SyntaxRefused, like all that compiles."""
        compile_node = self._grammar.expressions.get(type(node))
        if compile_node is None:
            self.refuse(node, construct(node), EXPRESSIONS)
        with self._deeper(node):
            return compile_node(node, self)

    def statement(self, node: ast.stmt) -> Statement:
        compile_node = self._grammar.statements.get(type(node))
        if compile_node is None:
            self.refuse(node, construct(node), STATEMENTS)
        with self._deeper(node):
            return compile_node(node, self)

    def site(self, node: Part, *operands: Part) -> Site:
        return self._source.site(node, *operands)

    def refuse(self, node: Part, what: str, allowed: str) -> NoReturn:
        raise SyntaxRefused(what, allowed).at(self.site(node))

    def check_name(self, node: Part, name: str) -> str:
        """`name`, unless it is one of those that Python keeps for its own workings."""
        if name.startswith("__"):
            self.refuse(node, f"the name {name}", "names that do not begin with two underscores")
        return name

    def local(self, name: str) -> str | None:
        """Where a variable of a comprehension around here is kept in `Run.locals`."""
        return self._locals.get(name)

    @contextmanager
    def comprehension(self) -> Iterator[None]:
        """Names bound inside are not known outside."""
        outside = self._locals
        self._locals = outside.copy()
        try:
            yield
        finally:
            self._locals = outside

    def bind(self, name: str) -> str:
        """A new variable of the comprehension around here; where it is kept."""
        self._local_count += 1
        self._locals[name] = key = f"{name} {self._local_count}"
        return key

    @contextmanager
    def _deeper(self, node: Part) -> Iterator[None]:
        if self._depth == MAX_DEPTH:
            self.refuse(node, "a part this deep inside others", f"{MAX_DEPTH} levels")
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
