"""Functions on numbers (DMN 1.5, 10.3.4.5)."""

from __future__ import annotations

from decimal import (
    ROUND_CEILING,
    ROUND_DOWN,
    ROUND_FLOOR,
    ROUND_HALF_DOWN,
    ROUND_HALF_EVEN,
    ROUND_HALF_UP,
    ROUND_UP,
    Decimal,
)
from typing import Any, Final

from bpmn.expressions.feel.library.builtin import Library, refused
from bpmn.expressions.feel.semantics.evaluation import Evaluation
from bpmn.expressions.feel.values.numbers import (
    CONTEXT,
    LEAST_SCALE,
    MOST_SCALE,
    finite,
    modulo,
    rounded,
    truncated,
)
from bpmn.expressions.feel.values.temporal import DaysDuration, MonthsDuration

NUMERIC: Final = Library()

_ROUNDINGS: Final = {
    "decimal": ROUND_HALF_EVEN,
    "round up": ROUND_UP,
    "round down": ROUND_DOWN,
    "round half up": ROUND_HALF_UP,
    "round half down": ROUND_HALF_DOWN,
}


def _round(number: Decimal, scale: Decimal | None, rounding: str) -> Decimal:
    digits = 0 if scale is None else truncated(scale)
    if not LEAST_SCALE <= digits <= MOST_SCALE:
        raise refused(f"scale is {digits}; allowed: {LEAST_SCALE} to {MOST_SCALE}")
    return number_or_refused(rounded(number, digits, rounding))


def number_or_refused(number: Decimal | None) -> Decimal:
    if number is None:
        raise refused("the result is no number")
    return number


def _rounding(name: str, rounding: str) -> None:
    @NUMERIC.define(f"{name}(n: number)")
    @NUMERIC.define(f"{name}(n: number, scale: number)")
    def _(_: Evaluation, number: Decimal, scale: Decimal | None = None) -> Decimal:
        return _round(number, scale, rounding)


for _name, _mode in _ROUNDINGS.items():
    _rounding(_name, _mode)


@NUMERIC.define("floor(n: number)")
@NUMERIC.define("floor(n: number, scale: number)")
def _floor(_: Evaluation, number: Decimal, scale: Decimal | None = None) -> Decimal:
    return _round(number, scale, ROUND_FLOOR)


@NUMERIC.define("ceiling(n: number)")
@NUMERIC.define("ceiling(n: number, scale: number)")
def _ceiling(_: Evaluation, number: Decimal, scale: Decimal | None = None) -> Decimal:
    return _round(number, scale, ROUND_CEILING)


@NUMERIC.define("abs(n: number | duration)")
def _abs(_: Evaluation, value: Any) -> Any:
    if isinstance(value, DaysDuration):
        return DaysDuration(abs(value.nanos))
    if isinstance(value, MonthsDuration):
        return MonthsDuration(abs(value.months))
    return CONTEXT.abs(value)


@NUMERIC.define("modulo(dividend: number, divisor: number)")
def _modulo(_: Evaluation, dividend: Decimal, divisor: Decimal) -> Decimal:
    if not divisor:
        raise refused("divisor is 0")
    return number_or_refused(modulo(dividend, divisor))


@NUMERIC.define("sqrt(number: number)")
def _sqrt(_: Evaluation, number: Decimal) -> Decimal:
    return number_or_refused(finite(CONTEXT.sqrt(number)))


@NUMERIC.define("log(number: number)")
def _log(_: Evaluation, number: Decimal) -> Decimal:
    return number_or_refused(finite(CONTEXT.ln(number)))


@NUMERIC.define("exp(number: number)")
def _exp(_: Evaluation, number: Decimal) -> Decimal:
    return number_or_refused(finite(CONTEXT.exp(number)))


@NUMERIC.define("odd(number: number)")
def _odd(_: Evaluation, number: Decimal) -> bool:
    return modulo(number, Decimal(2)) == 1


@NUMERIC.define("even(number: number)")
def _even(_: Evaluation, number: Decimal) -> bool:
    return modulo(number, Decimal(2)) == 0
