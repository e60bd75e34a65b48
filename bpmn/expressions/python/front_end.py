"""The Python subset as a front end."""

from __future__ import annotations

import ast
from typing import Any

from bpmn.expressions.describe import phrase
from bpmn.expressions.errors import TypeMismatch
from bpmn.expressions.places import Where
from bpmn.expressions.program import Node, Program
from bpmn.expressions.python.aliasing import copiers
from bpmn.expressions.python.grammar import CONDITIONS, SCRIPTS
from bpmn.expressions.python.scope import Scope
from bpmn.expressions.python.source import parse_expression, parse_script
from bpmn.expressions.python.statements import block
from bpmn.expressions.run import Run


class PythonFrontEnd:
    """Compiles an allow-listed part of Python into closures; no text ever reaches Python's own eval or exec."""

    language = "python"

    def condition(self, text: str, where: Where) -> Program:
        """Raises InvalidSyntax, SyntaxRefused."""
        tree, source = parse_expression(text, where)
        scope = Scope(source, CONDITIONS)
        node = scope.expression(tree)
        names = frozenset(scope.reads)
        return Program(node, site=source.whole(), language=self.language, names=names, truth=_truth)

    def script(self, text: str, where: Where) -> Program:
        """Raises InvalidSyntax, SyntaxRefused."""
        body, source = parse_script(text, where)
        scope = Scope(source, SCRIPTS)
        node = _script(body, scope)
        variables = scope.reads | scope.writes
        private = {name: copier for name, copier in copiers(body).items() if name in variables}
        return Program(
            node,
            site=source.whole(),
            language=self.language,
            names=frozenset(scope.reads),
            writes=frozenset(scope.writes | private.keys()),
            copiers=private,
        )


def _truth(value: Any) -> bool:
    """As Python sees truth; but a text, of which Python holds `false` and `no` for true too, is none.

    Raises TypeMismatch.
    """
    if type(value) is str:
        allowed = "True, False, or a number, None, a list, an object as Python takes them; text is compared with =="
        raise TypeMismatch(allowed, value, reason=f"the condition gives {phrase(value)}")
    return bool(value)


def _script(body: list[ast.stmt], scope: Scope) -> Node:
    """The statements, and as the script's value that of a last line that is an expression."""
    if not body or not isinstance(body[-1], ast.Expr):
        return block(body, scope)
    before = block(body[:-1], scope)
    last = scope.expression(body[-1].value)

    def perform(run: Run) -> object:
        before(run)
        return last(run)

    return perform
