"""Arithmetic, comparisons, and, or, not, and the conditional expression."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from bpmn.expressions.failures import EXPECTED, failure
from bpmn.expressions.operations import arithmetic, comparison
from bpmn.expressions.places import Site
from bpmn.expressions.program import Node
from bpmn.expressions.python.refusals import construct
from bpmn.expressions.python.scope import Scope
from bpmn.expressions.run import Run

Operation = Callable[[Run, Any, Any], Any]

BINARY: Mapping[type[ast.AST], Operation] = MappingProxyType({
    ast.Add: arithmetic.add,
    ast.Sub: arithmetic.subtract,
    ast.Mult: arithmetic.multiply,
    ast.Div: arithmetic.divide,
    ast.FloorDiv: arithmetic.floor_divide,
    ast.Mod: arithmetic.modulo,
    ast.Pow: arithmetic.power,
    ast.LShift: arithmetic.shift_left,
    ast.RShift: arithmetic.shift_right,
    ast.BitOr: arithmetic.bit_or,
    ast.BitAnd: arithmetic.bit_and,
    ast.BitXor: arithmetic.bit_xor,
})
_UNARY: Mapping[type[ast.AST], Callable[[Run, Any], Any]] = MappingProxyType({
    ast.USub: arithmetic.negative,
    ast.UAdd: arithmetic.positive,
    ast.Invert: arithmetic.invert,
})
_COMPARISONS: Mapping[type[ast.AST], Operation] = MappingProxyType({
    ast.Eq: comparison.equal,
    ast.NotEq: comparison.not_equal,
    ast.Lt: comparison.less,
    ast.LtE: comparison.less_or_equal,
    ast.Gt: comparison.greater,
    ast.GtE: comparison.greater_or_equal,
    ast.In: comparison.contained,
    ast.NotIn: comparison.not_contained,
    ast.Is: comparison.same,
    ast.IsNot: comparison.not_same,
})


def binary_operation(operator: ast.operator, node: ast.expr | ast.stmt, scope: Scope) -> Operation:
    """The operation of a binary operator or augmented assignment."""
    operation = BINARY.get(type(operator))
    if operation is None:
        scope.refuse(node, construct(operator), "+ - * / // % ** << >> | & ^")
    return operation


def binary(node: ast.BinOp, scope: Scope) -> Node:
    operation = binary_operation(node.op, node, scope)
    return _two(scope.expression(node.left), operation, scope.expression(node.right), _site(node, scope))


def _site(node: ast.BinOp, scope: Scope) -> Site:
    return scope.site(node, node.left, node.right)


def _two(left: Node, operation: Operation, right: Node, site: Site) -> Node:
    def compute(run: Run) -> Any:
        first, second = left(run), right(run)
        try:
            return operation(run, first, second)
        except EXPECTED as error:
            raise failure(error, site) from None

    return compute


def unary(node: ast.UnaryOp, scope: Scope) -> Node:
    operand = scope.expression(node.operand)
    if isinstance(node.op, ast.Not):
        return lambda run: not operand(run)
    operation = _UNARY[type(node.op)]
    site = scope.site(node, node.operand)

    def compute(run: Run) -> Any:
        value = operand(run)
        try:
            return operation(run, value)
        except EXPECTED as error:
            raise failure(error, site) from None

    return compute


def boolean(node: ast.BoolOp, scope: Scope) -> Node:
    values = [scope.expression(value) for value in node.values]
    stops_at = isinstance(node.op, ast.Or)

    def compute(run: Run) -> Any:
        result = None
        for value in values:
            result = value(run)
            if bool(result) is stops_at:
                return result
        return result

    return compute


def compare(node: ast.Compare, scope: Scope) -> Node:
    operands = [node.left, *node.comparators]
    for operator, left, right in zip(node.ops, operands, operands[1:], strict=False):
        if isinstance(operator, ast.Is | ast.IsNot) and not (_is_singleton(left) or _is_singleton(right)):
            scope.refuse(node, "is between two values", "is None, is True, is False; == compares values")
    nodes = [scope.expression(operand) for operand in operands]
    operations = [_COMPARISONS[type(operator)] for operator in node.ops]
    sites = [scope.site(node, *pair) for pair in pairwise(operands)]
    if len(operations) == 1:
        return _two(nodes[0], operations[0], nodes[1], sites[0])
    return _chain(nodes[0], list(zip(operations, nodes[1:], sites, strict=True)))


def _chain(first: Node, links: list[tuple[Operation, Node, Site]]) -> Node:
    def compute(run: Run) -> Any:
        left, result = first(run), True
        for operation, node, site in links:
            right = node(run)
            try:
                result = operation(run, left, right)
            except EXPECTED as error:
                raise failure(error, site) from None
            if not result:
                break
            left = right
        return result

    return compute


def _is_singleton(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and (node.value is None or type(node.value) is bool)


def conditional(node: ast.IfExp, scope: Scope) -> Node:
    test, then, otherwise = (scope.expression(part) for part in (node.test, node.body, node.orelse))

    def choose(run: Run) -> Any:
        return then(run) if test(run) else otherwise(run)

    return choose
