"""Reading variables, fields, items and slices."""

from __future__ import annotations

import ast
from typing import Any

from bpmn.expressions.errors import MissingVariable
from bpmn.expressions.failures import EXPECTED, failure
from bpmn.expressions.operations import containers
from bpmn.expressions.program import Node
from bpmn.expressions.python.scope import Scope
from bpmn.expressions.run import Run
from bpmn.expressions.values import MISSING

_PYTHON_SPELLING = {"true": "True", "false": "False", "null": "None", "none": "None", "nil": "None"}


def name(node: ast.Name, scope: Scope) -> Node:
    variable = scope.check_name(node, node.id)
    key = scope.local(variable)
    return _local(key) if key is not None else _variable(node, variable, scope)


def _variable(node: ast.Name, variable: str, scope: Scope) -> Node:
    scope.reads.add(variable)
    site = scope.site(node)
    spelling = _PYTHON_SPELLING.get(variable)

    def read(run: Run) -> Any:
        value = run.values.get(variable, MISSING)
        if value is not MISSING:
            return value
        try:
            return run.read(variable)
        except EXPECTED as error:
            if spelling is not None and isinstance(error, MissingVariable):
                error = MissingVariable(variable, meant=spelling)
            raise failure(error, site) from None

    return read


def _local(key: str) -> Node:
    def read(run: Run) -> Any:
        return run.locals[key]

    return read


def attribute(node: ast.Attribute, scope: Scope) -> Node:
    field = scope.check_name(node, node.attr)
    base = scope.expression(node.value)
    site = scope.site(node, node.value)

    def read(run: Run) -> Any:
        value = base(run)
        try:
            return containers.field(run, value, field)
        except EXPECTED as error:
            raise failure(error, site) from None

    return read


def subscript(node: ast.Subscript, scope: Scope) -> Node:
    base = scope.expression(node.value)
    index = key_node(node.slice, scope)
    site = scope.site(node, node.value, node.slice)

    def read(run: Run) -> Any:
        value, key = base(run), index(run)
        try:
            return containers.item(run, value, key)
        except EXPECTED as error:
            raise failure(error, site) from None

    return read


def key_node(node: ast.expr, scope: Scope) -> Node:
    """What stands inside []: an index, a key, or the bounds of a slice."""
    return _part(node, scope) if isinstance(node, ast.Slice) else scope.expression(node)


def _part(node: ast.Slice, scope: Scope) -> Node:
    bounds = [_nothing if bound is None else scope.expression(bound) for bound in (node.lower, node.upper, node.step)]
    start, stop, step = bounds
    site = scope.site(node)

    def read(run: Run) -> Any:
        try:
            return containers.part(start(run), stop(run), step(run))
        except EXPECTED as error:
            raise failure(error, site) from None

    return read


def _nothing(run: Run) -> None:
    return None
