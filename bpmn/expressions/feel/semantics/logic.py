"""Comparisons, and, or, if: truth values are true, false and null (DMN 1.5, 10.3.2.5, tables 41 to 44)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from bpmn.expressions.feel.semantics.evaluation import Frame
from bpmn.expressions.feel.semantics.mismatch import FeelMismatch
from bpmn.expressions.feel.syntax import tree
from bpmn.expressions.feel.values.compare import equal, order
from bpmn.expressions.feel.values.weight import weigh

if TYPE_CHECKING:
    from bpmn.expressions.feel.semantics.compiler import Compiled, Compiler

_HOLDS: Final[Mapping[str, Callable[[int], bool]]] = MappingProxyType({
    "<": lambda place: place < 0,
    "<=": lambda place: place <= 0,
    ">": lambda place: place > 0,
    ">=": lambda place: place >= 0,
})
_NUMBERS: Final[Mapping[str, Callable[[Any, Any], bool]]] = MappingProxyType({
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
})
ORDERED: Final = "two numbers, strings, dates, times or durations of one kind"


def compared(operator: str, left: Any, right: Any) -> bool | None:
    """The truth of a comparison; None for values that cannot be compared."""
    if operator == "=":
        return equal(left, right)
    if operator == "!=":
        found = equal(left, right)
        return None if found is None else not found
    place = order(left, right)
    return None if place is None else _HOLDS[operator](place)


def comparison(compiler: Compiler, part: tree.Comparison) -> Compiled:
    left, right = compiler.node(part.left), compiler.node(part.right)
    operator, note = part.operator, compiler.note(part, part.left, part.right)
    quick = _NUMBERS.get(operator)
    allowed = "two values of one kind" if quick is None else ORDERED

    def compare(frame: Frame) -> Any:
        first, second = left(frame), right(frame)
        if quick is not None and type(first) is Decimal and type(second) is Decimal:
            return quick(first, second)
        weigh(first, frame.evaluation.charge)
        result = compared(operator, first, second)
        if result is None and not frame.evaluation.notes_full:
            note(frame, FeelMismatch(allowed, first, second))
        return result

    return compare


def between(compiler: Compiler, part: tree.Between) -> Compiled:
    value, low, high = (compiler.node(each) for each in (part.value, part.low, part.high))
    below, above = compiler.note(part, part.value, part.low), compiler.note(part, part.value, part.high)

    def compare(frame: Frame) -> Any:
        tested, least, most = value(frame), low(frame), high(frame)
        first, second = order(tested, least), order(tested, most)
        if first is None or second is None:
            if first is None:
                below(frame, FeelMismatch(ORDERED, tested, least))
            else:
                above(frame, FeelMismatch(ORDERED, tested, most))
            return None
        return first >= 0 >= second

    return compare


def logic(compiler: Compiler, part: tree.Logic) -> Compiled:
    """The operand that decides ends it: false for `and`, true for `or`; what is no truth value counts as null."""
    decides = part.operator == "or"
    operands = [(compiler.node(operand), compiler.note(part, operand)) for operand in part.operands]

    def compute(frame: Frame) -> Any:
        result: bool | None = not decides
        for operand, note in operands:
            value = operand(frame)
            if value is decides:
                return decides
            if type(value) is not bool:
                if value is not None:
                    note(frame, FeelMismatch("true, false or null", value))
                result = None
        return result

    return compute


def choice(compiler: Compiler, part: tree.If) -> Compiled:
    branches = [(compiler.node(condition), compiler.node(result)) for condition, result in part.branches]
    otherwise = compiler.node(part.otherwise)

    def choose(frame: Frame) -> Any:
        for condition, result in branches:
            if condition(frame) is True:
                return result(frame)
        return otherwise(frame)

    return choose
