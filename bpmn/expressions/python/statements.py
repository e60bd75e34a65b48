"""Statements of scripts."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from bpmn.expressions.failures import EXPECTED, failure
from bpmn.expressions.operations.augmented import augmented
from bpmn.expressions.operations.containers import iterate
from bpmn.expressions.program import Node
from bpmn.expressions.python.operators import binary_operation
from bpmn.expressions.python.scope import Scope, Statement
from bpmn.expressions.python.targets import ALLOWED, Place, deletion, steps_of, target
from bpmn.expressions.run import Run

BREAK, CONTINUE = object(), object()


def block(statements: Sequence[ast.stmt], scope: Scope) -> Statement:
    """Statements one after the other, up to a signal."""
    compiled = [scope.statement(statement) for statement in statements]
    if len(compiled) == 1:
        return compiled[0]

    def perform(run: Run) -> object:
        for statement in compiled:
            signal = statement(run)
            if signal is not None:
                return signal
        return None

    return perform


def assign(node: ast.Assign, scope: Scope) -> Statement:
    value = scope.expression(node.value)
    stores = [target(element, scope) for element in node.targets]
    match node.targets:
        case [ast.Name(id=name)]:
            return _assign_variable(name, value)

    def perform(run: Run) -> None:
        assigned = value(run)
        for store in stores:
            store(run, assigned)

    return perform


def _assign_variable(name: str, value: Node) -> Statement:
    """By far the most frequent statement of all."""

    def perform(run: Run) -> None:
        run.values[name] = value(run)

    return perform


def augmented_assign(node: ast.AugAssign, scope: Scope) -> Statement:
    operation = augmented(binary_operation(node.op, node, scope))
    operand = scope.expression(node.value)
    site = scope.site(node, node.target, node.value)

    def compute(run: Run, value: Any) -> Any:
        other = operand(run)
        try:
            return operation(run, value, other)
        except EXPECTED as error:
            raise failure(error, site) from None

    if isinstance(node.target, ast.Name):
        return _augmented_variable(node.target, compute, scope)
    if not isinstance(node.target, ast.Attribute | ast.Subscript):
        scope.refuse(node, "this as a target", ALLOWED)
    place = Place(node.target, scope)

    def perform(run: Run) -> None:
        value, key = place.find(run)
        place.store(run, value, key, compute(run, place.load(run, value, key)))

    return perform


def _augmented_variable(node: ast.Name, compute: Callable[[Run, Any], Any], scope: Scope) -> Statement:
    read = scope.expression(node)
    store = target(node, scope)
    return lambda run: store(run, compute(run, read(run)))


def delete(node: ast.Delete, scope: Scope) -> Statement:
    deletions = [deletion(element, scope) for element in node.targets]

    def perform(run: Run) -> None:
        for one in deletions:
            one(run)

    return perform


def expression(node: ast.Expr, scope: Scope) -> Statement:
    value = scope.expression(node.value)

    def perform(run: Run) -> None:
        value(run)

    return perform


def nothing(node: ast.Pass, scope: Scope) -> Statement:
    return lambda run: None


def conditional(node: ast.If, scope: Scope) -> Statement:
    """`if` with all its `elif`s, which Python's own tree nests."""
    branches: list[tuple[Node, Statement]] = []
    rest: list[ast.stmt] = [node]
    while len(rest) == 1 and isinstance(rest[0], ast.If):
        branch = rest[0]
        branches.append((scope.expression(branch.test), block(branch.body, scope)))
        rest = branch.orelse
    otherwise = block(rest, scope) if rest else None

    def perform(run: Run) -> object:
        for test, body in branches:
            if test(run):
                return body(run)
        return None if otherwise is None else otherwise(run)

    return perform


def for_loop(node: ast.For, scope: Scope) -> Statement:
    source = scope.expression(node.iter)
    store = target(node.target, scope)
    body = _loop_body(node, scope)
    otherwise = block(node.orelse, scope) if node.orelse else None
    steps, site = steps_of(*node.body), scope.site(node.iter, node.iter)

    def perform(run: Run) -> object:
        values = source(run)
        try:
            for value in iterate(run, values):
                run.charge(steps)
                store(run, value)
                if body(run) is BREAK:
                    return None
        except EXPECTED as error:
            raise failure(error, site) from None
        return None if otherwise is None else otherwise(run)

    return perform


def while_loop(node: ast.While, scope: Scope) -> Statement:
    test = scope.expression(node.test)
    body = _loop_body(node, scope)
    otherwise = block(node.orelse, scope) if node.orelse else None
    steps, site = steps_of(node.test, *node.body), scope.site(node.test)

    def perform(run: Run) -> object:
        try:
            while test(run):
                run.charge(steps)
                if body(run) is BREAK:
                    return None
        except EXPECTED as error:
            raise failure(error, site) from None
        return None if otherwise is None else otherwise(run)

    return perform


def _loop_body(node: ast.For | ast.While, scope: Scope) -> Statement:
    scope.loops += 1
    try:
        return block(node.body, scope)
    finally:
        scope.loops -= 1


def leave_loop(node: ast.Break, scope: Scope) -> Statement:
    return _signal(node, "break", BREAK, scope)


def next_pass(node: ast.Continue, scope: Scope) -> Statement:
    return _signal(node, "continue", CONTINUE, scope)


def _signal(node: ast.stmt, word: str, signal: object, scope: Scope) -> Statement:
    if not scope.loops:
        scope.refuse(node, f"{word} outside a loop", f"{word} inside for or while")
    return lambda run: signal
