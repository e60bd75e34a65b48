"""Expressions that are made of others: their parts, and what compiles each."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.expressions.compiler import compile_condition, compile_value
from bpmn.expressions.places import Where
from bpmn.expressions.program import Program
from bpmn.parts.texts import Expression


def leaves(expression: Expression) -> Iterator[Expression]:
    """The texts that are evaluated: the expression itself, or those of its items."""
    if expression.is_made:
        for each in expression.items:
            yield from leaves(each)
    else:
        yield expression


def compiled(expression: Expression, where: Where) -> Program:
    """The program of one text. Raises ExpressionError."""
    compile_text = compile_value if expression.script else compile_condition
    return compile_text(expression.text, where=where, language=expression.language)
