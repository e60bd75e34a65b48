"""Literals, displays of lists, tuples, sets and objects, and f-strings."""

from __future__ import annotations

import ast
from math import isfinite
from typing import Any

from bpmn.expressions.errors import TypeMismatch
from bpmn.expressions.failures import EXPECTED, failure
from bpmn.expressions.operations.containers import as_key, collect, grown
from bpmn.expressions.operations.rendering import formatted
from bpmn.expressions.operations.weight import pay_items, pay_text
from bpmn.expressions.program import Node
from bpmn.expressions.python.refusals import construct
from bpmn.expressions.python.scope import Scope
from bpmn.expressions.run import Run
from bpmn.expressions.values import SCALARS

LARGEST_BITS = 1024
"""Of a whole number that is written out."""


def constant(node: ast.Constant, scope: Scope) -> Node:
    value = node.value
    if type(value) not in SCALARS:
        scope.refuse(node, f"a literal of type {type(value).__name__}", "numbers, text, True, False, None")
    if isinstance(value, float) and not isfinite(value):
        scope.refuse(node, "a number this large", "numbers up to 1.8e308")
    if isinstance(value, int) and value.bit_length() > LARGEST_BITS:
        scope.refuse(node, "a whole number this large", f"{LARGEST_BITS} bits")
    return lambda run: value


def list_display(node: ast.List, scope: Scope) -> Node:
    return _sequence(node.elts, node, scope)


def tuple_display(node: ast.Tuple, scope: Scope) -> Node:
    items = _sequence(node.elts, node, scope)
    return lambda run: tuple(items(run))


def set_display(node: ast.Set, scope: Scope) -> Node:
    items = _sequence(node.elts, node, scope)
    site = scope.site(node)

    def make(run: Run) -> Any:
        values = items(run)
        try:
            return {as_key(value) for value in values}
        except EXPECTED as error:
            raise failure(error, site) from None

    return make


def _sequence(elements: list[ast.expr], node: ast.expr, scope: Scope) -> Node:
    if any(isinstance(element, ast.Starred) for element in elements):
        return _spread(elements, node, scope)
    items = [scope.expression(element) for element in elements]
    return lambda run: [item(run) for item in items]


def _spread(elements: list[ast.expr], node: ast.expr, scope: Scope) -> Node:
    """A display with `*values` in it."""
    site = scope.site(node)
    starred = [isinstance(element, ast.Starred) for element in elements]
    items = [scope.expression(element.value if isinstance(element, ast.Starred) else element) for element in elements]

    def make(run: Run) -> Any:
        made: list[Any] = []
        for spread, item in zip(starred, items, strict=True):
            value = item(run)
            try:
                made.extend(collect(run, value) if spread else (value,))
                grown(run, made)
            except EXPECTED as error:
                raise failure(error, site) from None
        return made

    return make


def dict_display(node: ast.Dict, scope: Scope) -> Node:
    site = scope.site(node)
    fields = [
        (None if key is None else scope.expression(key), scope.expression(value))
        for key, value in zip(node.keys, node.values, strict=True)
    ]

    def make(run: Run) -> Any:
        made: dict[Any, Any] = {}
        for key, value in fields:
            name = None if key is None else key(run)
            field = value(run)
            try:
                if key is None:
                    _merge(run, made, field)
                else:
                    made[as_key(name)] = field
            except EXPECTED as error:
                raise failure(error, site) from None
        return made

    return make


def _merge(run: Run, made: dict[Any, Any], other: Any) -> None:
    if type(other) is not dict:
        raise TypeMismatch("** takes an object", other)
    pay_items(run, len(other))
    made.update(other)
    grown(run, made)


def joined_text(node: ast.JoinedStr, scope: Scope) -> Node:
    """An f-string."""
    site = scope.site(node)
    parts = [_text_part(part, scope) for part in node.values]

    def make(run: Run) -> Any:
        pieces = [part(run) for part in parts]
        try:
            pay_text(run, sum(map(len, pieces)))
        except EXPECTED as error:
            raise failure(error, site) from None
        return "".join(pieces)

    return make


def _text_part(node: ast.expr, scope: Scope) -> Node:
    if isinstance(node, ast.Constant):
        return constant(node, scope)
    if not isinstance(node, ast.FormattedValue):
        scope.refuse(node, construct(node), "text and {values}")
    value = scope.expression(node.value)
    spec = scope.expression(node.format_spec) if node.format_spec is not None else None
    conversion = chr(node.conversion) if node.conversion != -1 else None
    site = scope.site(node.value, node.value)

    def make(run: Run) -> Any:
        shown = value(run)
        layout = "" if spec is None else spec(run)
        try:
            return formatted(run, shown, conversion, layout)
        except EXPECTED as error:
            raise failure(error, site) from None

    return make
