"""Calls of the functions and methods in the library, and of nothing else."""

from __future__ import annotations

import ast
from typing import Any, NoReturn

from bpmn.expressions.describe import near
from bpmn.expressions.failures import EXPECTED, failure
from bpmn.expressions.library.calls import accepts, call_function, call_method, usage
from bpmn.expressions.library.functions import FUNCTIONS, GATHERING
from bpmn.expressions.library.methods import CHANGING, GATHERING_METHODS, METHOD_NAMES
from bpmn.expressions.program import Node
from bpmn.expressions.python.comprehensions import generator
from bpmn.expressions.python.scope import Scope
from bpmn.expressions.run import Run


def call(node: ast.Call, scope: Scope) -> Node:
    if isinstance(node.func, ast.Name):
        return _function(node, node.func.id, scope)
    if isinstance(node.func, ast.Attribute):
        return _method(node, node.func, scope)
    scope.refuse(node, "a call of anything but a function or method by its name", ", ".join(sorted(FUNCTIONS)))


def _function(node: ast.Call, name: str, scope: Scope) -> Node:
    function = FUNCTIONS.get(name)
    if function is None:
        _refuse_unknown(node, f"the function {name}", name, FUNCTIONS, scope)
    positional, named = _arguments(node, name in GATHERING, scope)
    if not accepts(function, len(positional), list(named)):
        scope.refuse(node, f"a call of {name} with these arguments", usage(name, function))
    site = scope.site(node, *node.args)

    def perform(run: Run) -> Any:
        values = [argument(run) for argument in positional]
        options = {word: argument(run) for word, argument in named.items()} if named else {}
        try:
            return call_function(run, name, function, values, options)
        except EXPECTED as error:
            raise failure(error, site) from None

    return perform


def _method(node: ast.Call, called: ast.Attribute, scope: Scope) -> Node:
    name = scope.check_name(node, called.attr)
    if name not in METHOD_NAMES:
        _refuse_unknown(node, f"the method {name}", name, METHOD_NAMES, scope)
    if name in CHANGING and not scope.changes:
        scope.refuse(node, f"the method {name}, which changes a value,", "methods that only read; scripts may change")
    base = scope.expression(called.value)
    positional, named = _arguments(node, name in GATHERING_METHODS, scope)
    site = scope.site(node, called.value, *node.args)

    def perform(run: Run) -> Any:
        value = base(run)
        values = [argument(run) for argument in positional]
        options = {word: argument(run) for word, argument in named.items()} if named else {}
        try:
            return call_method(run, value, name, values, options)
        except EXPECTED as error:
            raise failure(error, site) from None

    return perform


def _arguments(node: ast.Call, gathers: bool, scope: Scope) -> tuple[list[Node], dict[str, Node]]:
    positional = []
    for argument in node.args:
        if gathers and isinstance(argument, ast.GeneratorExp):
            positional.append(generator(argument, scope))
        else:
            positional.append(scope.expression(argument))
    named = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            scope.refuse(node, "** in a call", "arguments one by one")
        named[scope.check_name(node, keyword.arg)] = scope.expression(keyword.value)
    return positional, named


def _refuse_unknown(node: ast.Call, what: str, name: str, known: Any, scope: Scope) -> NoReturn:
    alike = near(name, sorted(known))
    hint = f" (did you mean {' or '.join(alike)}?)" if alike else ""
    scope.refuse(node, what + hint, ", ".join(sorted(known)))
