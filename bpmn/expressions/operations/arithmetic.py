"""Arithmetic that checks sizes before it computes, and types so that nothing but numbers, text and lists takes part."""

from __future__ import annotations

from math import isfinite
from typing import Any

from bpmn.expressions.errors import InvalidValue, LimitReached, TypeMismatch
from bpmn.expressions.operations.weight import pay_items, pay_text
from bpmn.expressions.run import Run
from bpmn.expressions.values import NUMBERS, WHOLE

_SMALL = 1 << 62
_SEQUENCES = frozenset({str, list, tuple})


def number(run: Run, value: Any) -> Any:
    """A computed number, if it is one that may be: finite, real, not too large. Raises InvalidValue, LimitReached."""
    kind = type(value)
    if kind is int:
        bits = value.bit_length()
        if bits > run.limits.integer_bits:
            raise LimitReached("integer_bits", run.limits.integer_bits)
        run.charge(bits >> 6)
    elif kind is float:
        if not isfinite(value):
            raise InvalidValue(f"the result is {value}, which is no finite number")
    elif kind is complex:
        raise InvalidValue("the result is no real number")
    return value


def add(run: Run, left: Any, right: Any) -> Any:
    kind, other = type(left), type(right)
    if kind is int and other is int:
        total = left + right
        return total if -_SMALL < total < _SMALL else number(run, total)
    if kind in NUMBERS and other in NUMBERS:
        return number(run, left + right)
    if kind is other and kind in _SEQUENCES:
        (pay_text if kind is str else pay_items)(run, len(left) + len(right))
        return left + right
    raise TypeMismatch("+ takes two numbers, two texts or two lists", left, right)


def subtract(run: Run, left: Any, right: Any) -> Any:
    kind, other = type(left), type(right)
    if kind is int and other is int:
        difference = left - right
        return difference if -_SMALL < difference < _SMALL else number(run, difference)
    if kind in NUMBERS and other in NUMBERS:
        return number(run, left - right)
    if kind is set and other is set:
        pay_items(run, len(left))
        return left - right
    raise TypeMismatch("- takes two numbers or two sets", left, right)


def multiply(run: Run, left: Any, right: Any) -> Any:
    kind, other = type(left), type(right)
    if kind in NUMBERS and other in NUMBERS:
        return number(run, left * right)
    if kind in _SEQUENCES and other in WHOLE:
        return _repeat(run, left, right)
    if kind in WHOLE and other in _SEQUENCES:
        return _repeat(run, right, left)
    raise TypeMismatch("* takes two numbers, or a text or list and a whole number", left, right)


def _repeat(run: Run, sequence: Any, times: int) -> Any:
    length = len(sequence) * max(times, 0)
    (pay_text if type(sequence) is str else pay_items)(run, length)
    return sequence * times if length else sequence[:0]


def divide(run: Run, left: Any, right: Any) -> Any:
    _two_numbers("/", left, right)
    return number(run, left / right)


def floor_divide(run: Run, left: Any, right: Any) -> Any:
    _two_numbers("//", left, right)
    return number(run, left // right)


def modulo(run: Run, left: Any, right: Any) -> Any:
    if type(left) is str:
        raise TypeMismatch("% takes two numbers; text is filled in with an f-string or with format", left, right)
    _two_numbers("%", left, right)
    return number(run, left % right)


def power(run: Run, base: Any, exponent: Any) -> Any:
    _two_numbers("**", base, exponent)
    if type(base) in WHOLE and type(exponent) in WHOLE and exponent > 0:
        bits = (base.bit_length() - 1) * exponent
        if bits > run.limits.integer_bits:
            raise LimitReached("integer_bits", run.limits.integer_bits)
    return number(run, base**exponent)


def shift_left(run: Run, left: Any, right: Any) -> Any:
    _two_whole("<<", left, right)
    if left and left.bit_length() + right > run.limits.integer_bits:
        raise LimitReached("integer_bits", run.limits.integer_bits)
    return number(run, left << right if left or right < 0 else 0)


def shift_right(run: Run, left: Any, right: Any) -> Any:
    _two_whole(">>", left, right)
    return left >> right


def bit_or(run: Run, left: Any, right: Any) -> Any:
    if type(left) is type(right) and type(left) in (set, dict):
        pay_items(run, len(left) + len(right))
        return left | right
    _two_whole("|", left, right, "two sets or two objects")
    return left | right


def bit_and(run: Run, left: Any, right: Any) -> Any:
    if type(left) is type(right) is set:
        pay_items(run, len(left))
        return left & right
    _two_whole("&", left, right, "two sets")
    return left & right


def bit_xor(run: Run, left: Any, right: Any) -> Any:
    if type(left) is type(right) is set:
        pay_items(run, len(left) + len(right))
        return left ^ right
    _two_whole("^", left, right, "two sets")
    return left ^ right


def negative(run: Run, value: Any) -> Any:
    return -_one_number("-", value)


def positive(run: Run, value: Any) -> Any:
    return +_one_number("+", value)


def invert(run: Run, value: Any) -> Any:
    if type(value) not in WHOLE:
        raise TypeMismatch("~ takes a whole number", value, operand=0)
    return -1 - value


def _one_number(symbol: str, value: Any) -> Any:
    if type(value) not in NUMBERS:
        raise TypeMismatch(f"{symbol} takes a number", value, operand=0)
    return value


def _two_numbers(symbol: str, left: Any, right: Any) -> None:
    if type(left) not in NUMBERS or type(right) not in NUMBERS:
        raise TypeMismatch(f"{symbol} takes two numbers", left, right)


def _two_whole(symbol: str, left: Any, right: Any, others: str = "") -> None:
    if type(left) not in WHOLE or type(right) not in WHOLE:
        raise TypeMismatch(f"{symbol} takes two whole numbers{others and f' or {others}'}", left, right)
