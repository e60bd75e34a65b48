"""Which variables a script may change inside, so that only these are copied.

A change need not name the variable it reaches: `row = rows[0]; row.done = True` changes `rows`. The analysis follows
who may share a part with whom, ignores the order of statements, and errs only towards copying. Two kinds of change
are told apart: of a variable's own value (`xs.append(x)`, `xs += ys`, `o.k = v`), for which a shallow copy is enough,
and of something inside it.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator

from bpmn.expressions.library.functions import OPAQUE
from bpmn.expressions.library.methods import CHANGING
from bpmn.expressions.values import Copier, copy_deep, copy_shallow


def copiers(body: list[ast.stmt]) -> dict[str, Copier]:
    """For each name whose value the script may change, how to copy the value first."""
    found = _Aliases()
    for statement in body:
        for node in ast.walk(statement):
            found.note(node)
    deep = found.changed_inside()
    return {name: copy_deep if name in deep else copy_shallow for name in deep | found.changed}


class _Aliases:
    def __init__(self) -> None:
        self.changed: set[str] = set()
        """Names whose own value is changed in place."""
        self._inside: set[str] = set()
        """Names inside whose value something is changed."""
        self._sources: defaultdict[str, set[str]] = defaultdict(set)
        """By name: the names of whose values its own may be a part."""
        self._sharers: defaultdict[str, set[str]] = defaultdict(set)
        """By name, both ways: the names whose values may share something with its own."""

    def note(self, node: ast.AST) -> None:
        """Learn from one part of the text."""
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._bind(target, value)
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                self.changed.add(name)
                self._share({name}, _reach(value))
            case ast.AugAssign(target=ast.Attribute(value=base) | ast.Subscript(value=base), value=value):
                self._inside |= _reach(base)
                self._put(base, [value])
            case ast.For(target=target, iter=source) | ast.comprehension(target=target, iter=source):
                self._bind(target, source)
            case ast.Delete(targets=targets):
                for target in targets:
                    self._delete(target)
            case ast.Call(func=ast.Attribute(value=base, attr=method)) if method in CHANGING:
                self._change(base)
                self._put(base, [*node.args, *(keyword.value for keyword in node.keywords)])

    def changed_inside(self) -> set[str]:
        """Names inside whose values something may be changed, directly or through another name."""
        pending = self._inside.union(*(self._sources[name] for name in self.changed))
        reached: set[str] = set()
        while pending:
            name = pending.pop()
            reached.add(name)
            pending |= self._sharers[name] - reached
        return reached

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        match target:
            case ast.Name(id=name):
                self._sources[name] |= _reach(value)
                self._share({name}, _reach(value))
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                for element in elements:
                    self._bind(element, value)
            case ast.Starred(value=inner):
                self._bind(inner, value)
            case ast.Attribute(value=base) | ast.Subscript(value=base):
                self._change(base)
                self._put(base, [value])

    def _delete(self, target: ast.expr) -> None:
        match target:
            case ast.Attribute(value=base) | ast.Subscript(value=base):
                self._change(base)
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                for element in elements:
                    self._delete(element)

    def _change(self, base: ast.expr) -> None:
        """The value of `base` itself is changed."""
        if isinstance(base, ast.Name):
            self.changed.add(base.id)
        else:
            self._inside |= _reach(base)

    def _put(self, base: ast.expr, values: Iterable[ast.expr]) -> None:
        """Values are put into that of `base`."""
        self._share(_reach(base), set().union(*map(_reach, values)))

    def _share(self, names: set[str], others: set[str]) -> None:
        for name in names:
            self._sharers[name] |= others
        for other in others:
            self._sharers[other] |= names


def _reach(node: ast.expr) -> set[str]:
    """Names with whose values the value of an expression may share something changeable."""
    return {part.id for part in _sharing(node) if isinstance(part, ast.Name)}


def _sharing(node: ast.AST) -> Iterator[ast.AST]:
    pending: list[ast.AST] = [node]
    while pending:
        part = pending.pop()
        match part:
            case ast.Constant() | ast.Compare() | ast.JoinedStr() | ast.UnaryOp():
                continue
            case ast.Call(func=ast.Name(id=function)):
                if function not in OPAQUE:
                    pending += [*part.args, *part.keywords]
            case _:
                yield part
                pending += ast.iter_child_nodes(part)
