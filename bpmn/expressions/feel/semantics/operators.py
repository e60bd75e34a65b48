"""Chains of arithmetic, and the sign."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from bpmn.expressions.errors import ExpressionError, InvalidValue
from bpmn.expressions.feel.semantics import arithmetic
from bpmn.expressions.feel.semantics.evaluation import Evaluation, Frame
from bpmn.expressions.feel.semantics.mismatch import FeelMismatch
from bpmn.expressions.feel.syntax import tree
from bpmn.expressions.feel.values.numbers import CONTEXT

if TYPE_CHECKING:
    from bpmn.expressions.feel.semantics.compiler import Compiled, Compiler

Quick = Callable[[Decimal, Decimal], Decimal]
General = Callable[[Evaluation, Any, Any], Any]
Step = tuple[Quick | None, General, Any, Callable[[Frame, ExpressionError], None]]

_OPERATIONS: Final[dict[str, tuple[Quick | None, General]]] = {
    "+": (CONTEXT.add, arithmetic.add),
    "-": (CONTEXT.subtract, arithmetic.subtract),
    "*": (CONTEXT.multiply, arithmetic.multiply),
    "/": (None, arithmetic.divide),
    "**": (None, arithmetic.raise_to),
}
_ALLOWED: Final = {
    "+": "two numbers, two strings, or a date, time or duration and a duration",
    "-": "two numbers, two dates or times, or a date, time or duration and a duration",
    "*": "two numbers, or a duration and a number",
    "/": "two numbers, two durations, or a duration and a number; not zero on the right",
    "**": "two numbers",
}


def chain(compiler: Compiler, part: tree.Chain) -> Compiled:
    first = compiler.node(part.first)
    steps = []
    before: tree.Node = part.first
    for operator, operand in part.rest:
        whole = tree.Node(part.first.start, operand.end)
        quick, general = _OPERATIONS[operator]
        note = compiler.note(whole, before, operand)
        steps.append((operator, quick, general, compiler.node(operand), note))
        before = whole

    def compute(frame: Frame) -> Any:
        left = first(frame)
        for operator, quick, general, operand, note in steps:
            right = operand(frame)
            if quick is not None and type(left) is Decimal and type(right) is Decimal:
                result: Any = quick(left, right)
                if result.is_finite():
                    left = result
                    continue
            result = general(frame.evaluation, left, right)
            if result is None and not frame.evaluation.notes_full:
                note(frame, _wrong(operator, left, right))
            left = result
        return left

    return compute


def _wrong(operator: str, left: Any, right: Any) -> ExpressionError:
    if type(left) is Decimal and type(right) is Decimal:
        return InvalidValue("division by zero" if operator == "/" and not right else "the result is no number")
    return FeelMismatch(_ALLOWED[operator], left, right)


def negation(compiler: Compiler, part: tree.Negation) -> Compiled:
    operand, note = compiler.node(part.operand), compiler.note(part, part.operand)

    def negate(frame: Frame) -> Any:
        value = operand(frame)
        result = arithmetic.negative(value)
        if result is None:
            note(frame, FeelMismatch("a number or a duration", value))
        return result

    return negate
