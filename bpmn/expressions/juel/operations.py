"""JUEL's operators (JSR 341, 1.5 to 1.9): operands are made to fit each other, and nothing is 0, false or no text."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from bpmn.expressions.errors import InvalidValue, TypeMismatch
from bpmn.expressions.juel.coercion import is_real, to_real, to_truth, to_whole, whole_text
from bpmn.expressions.operations import arithmetic, comparison, containers
from bpmn.expressions.operations.weight import TEXT_SHIFT
from bpmn.expressions.run import Run
from bpmn.expressions.values import CONTAINERS

Operation = Callable[[Run, Any, Any], Any]


def equal(run: Run, left: Any, right: Any) -> bool:
    """`==`: as numbers where one side is a number, as truth values where one is, as text where one is (1.8.2).

    Nothing equals nothing alone; a text equals no list or object.
    """
    if left is None or right is None:
        return left is right
    kinds = {type(left), type(right)}
    if kinds & {int, float}:
        left, right = _numbers(run, left, right)
        return bool(left == right)
    if bool in kinds:
        return to_truth(left) is to_truth(right)
    return comparison.equal(run, left, right)


def not_equal(run: Run, left: Any, right: Any) -> bool:
    return not equal(run, left, right)


def _ordering(symbol: str, compare: Callable[[Any, Any], bool], same: bool) -> Operation:
    def ordered(run: Run, left: Any, right: Any) -> bool:
        """As numbers where one side is a number, as text where one is; nothing is neither less nor more (1.8.1)."""
        if left is None or right is None:
            return same and left is right
        kinds = {type(left), type(right)}
        if kinds & {int, float}:
            return compare(*_numbers(run, left, right))
        if str not in kinds or kinds & CONTAINERS:
            raise TypeMismatch(f"{symbol} takes numbers, text and null", left, right)
        run.charge((len(str(left)) + len(str(right))) >> TEXT_SHIFT)
        return compare(whole_text(run, left), whole_text(run, right))

    return ordered


less = _ordering("<", operator.lt, False)
less_or_equal = _ordering("<=", operator.le, True)
greater = _ordering(">", operator.gt, False)
greater_or_equal = _ordering(">=", operator.ge, True)


def _numbers(run: Run, left: Any, right: Any) -> tuple[float, float]:
    """Both sides as numbers of one kind, whole ones where neither is a number with a fraction."""
    to = to_real if float in (type(left), type(right)) else to_whole
    return to(run, left, 0), to(run, right, 1)


def _computing(compute: Operation) -> Operation:
    def computed(run: Run, left: Any, right: Any) -> Any:
        """With fractions where one side has one or is text that is written so; else with whole numbers (1.7)."""
        to = to_real if is_real(left) or is_real(right) else to_whole
        return compute(run, to(run, left, 0), to(run, right, 1))

    return computed


def _remainder(run: Run, dividend: Any, divisor: Any) -> Any:
    """Its sign is that of the dividend, as Java has it."""
    if not divisor:
        raise InvalidValue("modulo by zero")
    if type(dividend) is float:
        return arithmetic.number(run, math.fmod(dividend, divisor))
    return int(math.copysign(1, dividend)) * (abs(dividend) % abs(divisor))


add = _computing(arithmetic.add)
subtract = _computing(arithmetic.subtract)
multiply = _computing(arithmetic.multiply)
modulo = _computing(_remainder)


def divide(run: Run, left: Any, right: Any) -> Any:
    """`/`: always with fractions; of two nothings 0 (1.7.2)."""
    if left is None and right is None:
        return 0
    return arithmetic.divide(run, to_real(run, left, 0), to_real(run, right, 1))


def negative(run: Run, value: Any) -> Any:
    """`-x`: of nothing 0 (1.7.4)."""
    return -(to_real(run, value, 0) if is_real(value) else to_whole(run, value, 0))


def is_empty(value: Any) -> bool:
    """`empty x`: nothing, no text, or nothing in it."""
    return value is None or value == "" or (type(value) in CONTAINERS and not value)


def field(run: Run, value: Any, name: str) -> Any:
    """`value.name`: null of null, and of an object that has no such field."""
    if value is None:
        return None
    if type(value) is dict:
        return value.get(name)
    return containers.field(run, value, name)


def item(run: Run, value: Any, key: Any) -> Any:
    """`value[key]`: null of null, and where an object or list has nothing there; a place from 0 may be text."""
    if value is None or key is None:
        return None
    if type(value) is dict:
        return value.get(key if type(key) is str else whole_text(run, key))
    if type(value) is not list:
        raise TypeMismatch("[] reads from an object or a list", value, operand=0)
    place = to_whole(run, key, 1)
    return value[place] if 0 <= place < len(value) else None
