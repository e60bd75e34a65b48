"""The operators + - * / ** and the sign, by the kinds of their operands (DMN 1.5, 10.3.2.5, tables 45 to 50)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from bpmn.expressions.errors import LimitReached
from bpmn.expressions.feel.semantics.evaluation import Evaluation
from bpmn.expressions.feel.values import moments
from bpmn.expressions.feel.values.numbers import CONTEXT, finite, power
from bpmn.expressions.feel.values.temporal import Date, DateTime, DaysDuration, MonthsDuration, Time

Operation = Callable[[Any, Any], Any]


def add(evaluation: Evaluation, left: Any, right: Any) -> Any:
    """The sum; None where there is none. Raises LimitReached for texts too long."""
    kinds = (type(left), type(right))
    if kinds == (str, str):
        return joined_text(evaluation, left, right)
    operation = _ADD.get(kinds)
    return None if operation is None else operation(left, right)


def joined_text(evaluation: Evaluation, left: str, right: str) -> str:
    size, most = len(left) + len(right), evaluation.run.limits.text
    if size > most:
        raise LimitReached("text", most)
    evaluation.charge(size // 256)
    return left + right


def subtract(_: Evaluation, left: Any, right: Any) -> Any:
    operation = _SUBTRACT.get((type(left), type(right)))
    return None if operation is None else operation(left, right)


def multiply(_: Evaluation, left: Any, right: Any) -> Any:
    operation = _MULTIPLY.get((type(left), type(right)))
    return None if operation is None else operation(left, right)


def divide(_: Evaluation, left: Any, right: Any) -> Any:
    operation = _DIVIDE.get((type(left), type(right)))
    return None if operation is None else operation(left, right)


def raise_to(_: Evaluation, left: Any, right: Any) -> Any:
    return power(left, right) if type(left) is Decimal and type(right) is Decimal else None


def negative(value: Any) -> Any:
    """The value with the other sign; None for what has none."""
    kind = type(value)
    if kind is Decimal:
        return CONTEXT.minus(value)
    if kind is DaysDuration:
        return DaysDuration(-value.nanos)
    if kind is MonthsDuration:
        return MonthsDuration(-value.months)
    return None


def _quotient(left: Decimal, right: Decimal) -> Decimal | None:
    return finite(CONTEXT.divide(left, right)) if right else None


def _either_way(operations: Mapping[tuple[type, type], Operation]) -> dict[tuple[type, type], Operation]:
    """The operations, and the same with their operands changed over."""
    turned = {(right, left): _turned(operation) for (left, right), operation in operations.items()}
    return {**turned, **operations}


def _turned(operation: Operation) -> Operation:
    return lambda left, right: operation(right, left)


def _less(plus: Operation) -> Operation:
    return lambda left, right: plus(left, negative(right))


_ADD: Final[Mapping[tuple[type, type], Operation]] = MappingProxyType({
    (Decimal, Decimal): lambda left, right: finite(CONTEXT.add(left, right)),
    **_either_way({
        (Date, DaysDuration): moments.date_plus_days,
        (Date, MonthsDuration): moments.date_plus_months,
        (DateTime, DaysDuration): moments.datetime_plus_days,
        (DateTime, MonthsDuration): moments.datetime_plus_months,
        (Time, DaysDuration): moments.time_plus,
        (DaysDuration, DaysDuration): lambda left, right: DaysDuration(left.nanos + right.nanos),
        (MonthsDuration, MonthsDuration): lambda left, right: MonthsDuration(left.months + right.months),
    }),
})
_SUBTRACT: Final[Mapping[tuple[type, type], Operation]] = MappingProxyType({
    (Decimal, Decimal): lambda left, right: finite(CONTEXT.subtract(left, right)),
    (Date, Date): moments.between,
    (DateTime, DateTime): moments.between,
    (Date, DateTime): moments.between,
    (DateTime, Date): moments.between,
    (Time, Time): moments.between_times,
    **{
        (kind, duration): _less(plus)
        for (kind, duration), plus in _ADD.items()
        if kind in (Date, DateTime, Time, DaysDuration, MonthsDuration) and duration in (DaysDuration, MonthsDuration)
    },
})
_MULTIPLY: Final[Mapping[tuple[type, type], Operation]] = MappingProxyType({
    (Decimal, Decimal): lambda left, right: finite(CONTEXT.multiply(left, right)),
    **_either_way({
        (DaysDuration, Decimal): moments.days_times,
        (MonthsDuration, Decimal): moments.months_times,
    }),
})
_DIVIDE: Final[Mapping[tuple[type, type], Operation]] = MappingProxyType({
    (Decimal, Decimal): _quotient,
    (DaysDuration, Decimal): lambda left, right: moments.days_times(left, right, over=True),
    (MonthsDuration, Decimal): lambda left, right: moments.months_times(left, right, over=True),
    (DaysDuration, DaysDuration): lambda left, right: _quotient(Decimal(left.nanos), Decimal(right.nanos)),
    (MonthsDuration, MonthsDuration): lambda left, right: _quotient(Decimal(left.months), Decimal(right.months)),
})
