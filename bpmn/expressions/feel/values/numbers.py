"""Numbers: decimals of 34 digits, as decimal128 has (DMN 1.5, 10.3.2.3.1). No operation raises: no number is None."""

from __future__ import annotations

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Context, Decimal
from typing import Final

DIGITS: Final = 34
LEAST_SCALE, MOST_SCALE = -6111, 6176
"""Bounds of the scale that rounding takes (DMN 1.5, table 73)."""

CONTEXT: Final = Context(prec=DIGITS, rounding=ROUND_HALF_EVEN, Emin=-6143, Emax=6144, traps=[])
_WIDE: Final = Context(prec=2 * MOST_SCALE, rounding=ROUND_HALF_EVEN, Emin=-20000, Emax=20000, traps=[])

_MOST: Final = 10**34

ZERO: Final = Decimal(0)
ONE: Final = Decimal(1)


def finite(value: Decimal) -> Decimal | None:
    """`value`, or None where it is infinite or no number."""
    return value if value.is_finite() else None


def number_of(value: int | float | str) -> Decimal | None:
    """A number from a whole number, a float (the shortest decimal that reads as it) or text; None if it is none."""
    return finite(CONTEXT.create_decimal(repr(value) if isinstance(value, float) else value))


def whole(value: Decimal) -> int | None:
    """The whole number that `value` is; None where it has a fraction or is beyond every use."""
    if value.adjusted() > DIGITS or value != value.to_integral_value():
        return None
    return int(value)


def truncated(value: Decimal) -> int:
    """`value` without its fraction; what is beyond every use as a count or position is cut to 10^34."""
    if value.adjusted() > DIGITS:
        return _MOST if value > 0 else -_MOST
    return int(value.to_integral_value(ROUND_DOWN))


def rounded(value: Decimal, scale: int, rounding: str) -> Decimal | None:
    """`value` with at most `scale` digits after the point."""
    exponent = value.as_tuple().exponent
    if isinstance(exponent, int) and -exponent <= scale:
        return value
    context = _WIDE.copy()
    context.rounding = rounding
    return finite(CONTEXT.plus(context.quantize(value, Decimal((0, (1,), -scale)))))


def power(base: Decimal, exponent: Decimal) -> Decimal | None:
    return finite(CONTEXT.power(base, exponent))


def modulo(dividend: Decimal, divisor: Decimal) -> Decimal | None:
    """`dividend - divisor * floor(dividend / divisor)`: its sign is the divisor's."""
    if not divisor:
        return None
    rest = CONTEXT.remainder(dividend, divisor)
    if not rest.is_finite():
        return None
    return CONTEXT.add(rest, divisor) if rest and (rest < 0) != (divisor < 0) else rest


def number_text(value: Decimal) -> str:
    """Digits without an exponent, without zeros at the end of a fraction: `1.5`, `100`, `0.00001`."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def to_json(value: Decimal) -> int | float:
    """A whole number as int, another as the nearest float: exact if it has no more than 15 digits."""
    if value == value.to_integral_value():
        return int(value)
    return float(value)

