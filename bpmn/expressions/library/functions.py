"""The functions that a text may call by name. Each takes the run first; lists stand for Python's lazy sequences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from bpmn.expressions.errors import InvalidValue, LimitReached, TypeMismatch
from bpmn.expressions.operations.arithmetic import number
from bpmn.expressions.operations.containers import as_key, collect, grown, iterate, to_fields
from bpmn.expressions.operations.rendering import to_text
from bpmn.expressions.operations.weight import pay_items, weigh
from bpmn.expressions.run import Run
from bpmn.expressions.values import CONTAINERS, MISSING, NUMBERS, WHOLE

Function = Callable[..., Any]

_FLOAT_DIGITS = 324
"""A float has no more digits before or after the point."""


def _len(run: Run, value: Any, /) -> int:
    if type(value) not in CONTAINERS and type(value) is not str:
        raise TypeMismatch("len takes text, a list, an object, a tuple or a set", value, operand=0)
    return len(value)


def _abs(run: Run, value: Any, /) -> Any:
    if type(value) not in NUMBERS:
        raise TypeMismatch("abs takes a number", value, operand=0)
    return abs(value)


def _round(run: Run, value: Any, digits: Any = None) -> Any:
    if type(value) not in NUMBERS:
        raise TypeMismatch("round takes a number", value, operand=0)
    if digits is None:
        return round(value)
    if type(digits) not in WHOLE:
        raise TypeMismatch("round takes a whole number of digits", digits, operand=1)
    # No number has more digits than that, and rounding a whole number to -n digits computes 10 ** n.
    most = max(_FLOAT_DIGITS, run.limits.integer_bits)
    return number(run, round(value, max(-most, min(most, digits))))


def _sum(run: Run, values: Any, /, start: Any = 0) -> Any:
    if type(start) is list:
        return _concatenated(run, values, start)
    addends = [start, *collect(run, values)]
    for addend in addends:
        if type(addend) not in NUMBERS:
            raise TypeMismatch("sum adds numbers", addend)
    return number(run, sum(addends[1:], start))


def _concatenated(run: Run, values: Any, start: list[Any]) -> list[Any]:
    """`sum(lists, [])`, the usual way to flatten a list."""
    total = collect(run, start)
    for addend in collect(run, values):
        if type(addend) is not list:
            raise TypeMismatch("sum with a list to start from adds lists", addend)
        pay_items(run, len(total) + len(addend))
        total += addend
    return total


def _extreme(name: str, choose: Callable[[list[Any]], Any]) -> Function:
    def extreme(run: Run, first: Any, /, *rest: Any, default: Any = MISSING) -> Any:
        values = [first, *rest] if rest else collect(run, first)
        if values:
            weigh(run, values)
            return choose(values)
        if default is MISSING:
            raise InvalidValue(f"{name} of nothing", allowed=f"{name}(..., default=...)")
        return default

    return extreme


def ordered(run: Run, values: list[Any], reverse: Any) -> None:
    """Sort a list in place, and pay for it."""
    weigh(run, values)
    run.charge(len(values) * len(values).bit_length() >> 4)
    values.sort(reverse=bool(reverse))


def _sorted(run: Run, values: Any, /, *, reverse: Any = False) -> list[Any]:
    copy = collect(run, values)
    ordered(run, copy, reverse)
    return copy


def _any(run: Run, values: Any, /) -> bool:
    return any(iterate(run, values))


def _all(run: Run, values: Any, /) -> bool:
    return all(iterate(run, values))


def _range(run: Run, start: Any, stop: Any = MISSING, step: Any = 1, /) -> list[int]:
    bounds = (0, start, step) if stop is MISSING else (start, stop, step)
    for bound in bounds:
        if type(bound) not in WHOLE:
            raise TypeMismatch("range takes whole numbers", bound)
        if bound.bit_length() > 62:
            raise InvalidValue("a bound of range is too large")
    numbers = range(*bounds)
    pay_items(run, len(numbers))
    return list(numbers)


def _enumerate(run: Run, values: Any, start: Any = 0) -> list[Any]:
    if type(start) not in WHOLE:
        raise TypeMismatch("enumerate starts at a whole number", start)
    return list(enumerate(collect(run, values), start))


def _zip(run: Run, *values: Any, strict: Any = False) -> list[Any]:
    columns = [collect(run, column) for column in values]
    rows = list(zip(*columns, strict=bool(strict)))
    run.charge(len(rows) * len(columns) >> 4)
    return rows


def _reversed(run: Run, values: Any, /) -> list[Any]:
    if type(values) is set:
        raise TypeMismatch("a set has no order to reverse", values, operand=0)
    return collect(run, values)[::-1]


def _int(run: Run, value: Any = 0, /, base: Any = MISSING) -> Any:
    if type(value) is str:
        if len(value) > run.limits.integer_bits:
            raise LimitReached("integer_bits", run.limits.integer_bits)
        return number(run, int(value) if base is MISSING else int(value, base))
    if type(value) not in NUMBERS or base is not MISSING:
        raise TypeMismatch("int takes a number, or text and a base", value, operand=0)
    return number(run, int(value))


def _float(run: Run, value: Any = 0.0, /) -> Any:
    if type(value) not in NUMBERS and type(value) is not str:
        raise TypeMismatch("float takes a number or text", value, operand=0)
    return number(run, float(value))


def _str(run: Run, value: Any = "", /) -> str:
    return to_text(run, value)


def _bool(run: Run, value: Any = False, /) -> bool:
    return bool(value)


def _list(run: Run, values: Any = (), /) -> list[Any]:
    return collect(run, values)


def _tuple(run: Run, values: Any = (), /) -> tuple[Any, ...]:
    return tuple(collect(run, values))


def _set(run: Run, values: Any = (), /) -> set[Any]:
    return {as_key(value) for value in collect(run, values)}


def _dict(run: Run, fields: Any = (), /, **named: Any) -> dict[Any, Any]:
    made = to_fields(run, fields)
    made.update(named)
    grown(run, made)
    return made


FUNCTIONS: Mapping[str, Function] = MappingProxyType({
    "abs": _abs,
    "all": _all,
    "any": _any,
    "bool": _bool,
    "dict": _dict,
    "enumerate": _enumerate,
    "float": _float,
    "int": _int,
    "len": _len,
    "list": _list,
    "max": _extreme("max", max),
    "min": _extreme("min", min),
    "range": _range,
    "reversed": _reversed,
    "round": _round,
    "set": _set,
    "sorted": _sorted,
    "str": _str,
    "sum": _sum,
    "tuple": _tuple,
    "zip": _zip,
})

GATHERING = frozenset({"all", "any", "dict", "enumerate", "list", "max", "min", "set", "sorted", "sum", "tuple", "zip"})
"""The functions that take a generator expression."""

OPAQUE = frozenset({"abs", "all", "any", "bool", "float", "int", "len", "range", "round", "str", "sum"})
"""The functions whose results share nothing with what they are given."""
