"""Targets of assignment, del and loops."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from bpmn.expressions.errors import InvalidValue
from bpmn.expressions.failures import EXPECTED, failure
from bpmn.expressions.operations.containers import collect, delete_item, field, item, set_item
from bpmn.expressions.places import Site
from bpmn.expressions.program import Node
from bpmn.expressions.python.names import key_node
from bpmn.expressions.python.scope import Scope, Statement, Store
from bpmn.expressions.run import Run

ALLOWED = "a variable, a field, an item, or several of them"

PARTS_A_STEP = 16
"""Parts of a loop's body that cost one step a pass."""


def steps_of(*body: ast.AST) -> int:
    """Steps that one pass of a loop costs."""
    return 1 + sum(1 for part in body for _ in ast.walk(part)) // PARTS_A_STEP


def target(node: ast.expr, scope: Scope) -> Store:
    """Where a statement puts a value."""
    if isinstance(node, ast.Name):
        return _variable(node, scope)
    if isinstance(node, ast.Attribute | ast.Subscript):
        place = Place(node, scope)
        return lambda run, value: place.store(run, *place.find(run), value)
    return _unpacked(node, scope, target)


def local_target(node: ast.expr, scope: Scope) -> Store:
    """Where a comprehension puts a value: variables of its own."""
    if isinstance(node, ast.Name):
        return _local(scope.bind(scope.check_name(node, node.id)))
    return _unpacked(node, scope, local_target)


def _variable(node: ast.Name, scope: Scope) -> Store:
    name = scope.check_name(node, node.id)
    scope.writes.add(name)

    def store(run: Run, value: Any) -> None:
        run.values[name] = value

    return store


def _local(key: str) -> Store:
    def store(run: Run, value: Any) -> None:
        run.locals[key] = value

    return store


def _unpacked(node: ast.expr, scope: Scope, element_target: Callable[[ast.expr, Scope], Store]) -> Store:
    if not isinstance(node, ast.Tuple | ast.List):
        scope.refuse(node, "this as a target", ALLOWED)
    site = scope.site(node)
    starred = [index for index, element in enumerate(node.elts) if isinstance(element, ast.Starred)]
    star = starred[0] if starred else None
    stores = [
        element_target(element.value if isinstance(element, ast.Starred) else element, scope) for element in node.elts
    ]

    def store(run: Run, value: Any) -> None:
        try:
            values = _spread(collect(run, value), len(stores), star)
        except EXPECTED as error:
            raise failure(error, site) from None
        for element_store, element in zip(stores, values, strict=True):
            element_store(run, element)

    return store


def _spread(values: list[Any], count: int, star: int | None) -> list[Any]:
    if star is None:
        if len(values) != count:
            raise InvalidValue(f"{count} targets for {len(values)} values")
        return values
    if len(values) < count - 1:
        raise InvalidValue(f"at least {count - 1} targets for {len(values)} values")
    end = len(values) - (count - 1 - star)
    return [*values[:star], values[star:end], *values[end:]]


class Place:
    """A field or an item as a target: found once, then read and stored."""

    def __init__(self, node: ast.Attribute | ast.Subscript, scope: Scope) -> None:
        self.base: Node = scope.expression(node.value)
        self.key: Node = _key(node, scope)
        self.named = isinstance(node, ast.Attribute)
        self.site: Site = scope.site(node, node.value, *([node.slice] if isinstance(node, ast.Subscript) else []))

    def find(self, run: Run) -> tuple[Any, Any]:
        return self.base(run), self.key(run)

    def load(self, run: Run, value: Any, key: Any) -> Any:
        try:
            return field(run, value, key) if self.named else item(run, value, key)
        except EXPECTED as error:
            raise failure(error, self.site) from None

    def store(self, run: Run, value: Any, key: Any, new: Any) -> None:
        try:
            set_item(run, value, key, new)
        except EXPECTED as error:
            raise failure(error, self.site) from None

    def delete(self, run: Run) -> None:
        value, key = self.find(run)
        try:
            delete_item(run, value, key)
        except EXPECTED as error:
            raise failure(error, self.site) from None


def _key(node: ast.Attribute | ast.Subscript, scope: Scope) -> Node:
    if isinstance(node, ast.Subscript):
        return key_node(node.slice, scope)
    name = scope.check_name(node, node.attr)
    return lambda run: name


def deletion(node: ast.expr, scope: Scope) -> Statement:
    """One target of del."""
    if isinstance(node, ast.Attribute | ast.Subscript):
        return Place(node, scope).delete
    if isinstance(node, ast.Tuple | ast.List):
        return _each([deletion(element, scope) for element in node.elts])
    if not isinstance(node, ast.Name):
        scope.refuse(node, "this as a target of del", ALLOWED)
    name, site = scope.check_name(node, node.id), scope.site(node)
    scope.writes.add(name)
    scope.reads.add(name)

    def delete(run: Run) -> None:
        try:
            run.delete(name)
        except EXPECTED as error:
            raise failure(error, site) from None

    return delete


def _each(deletions: list[Statement]) -> Statement:
    def delete(run: Run) -> None:
        for deletion in deletions:
            deletion(run)

    return delete
