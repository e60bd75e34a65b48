"""Functions that make one value of many (DMN 1.5, 10.3.4.4), sorting (10.3.4.8), and truth values (10.3.4.2)."""

from __future__ import annotations

from decimal import Decimal
from functools import cmp_to_key, reduce
from typing import Any, Final

from bpmn.expressions.feel.library.builtin import Library, refused
from bpmn.expressions.feel.library.numeric import number_or_refused
from bpmn.expressions.feel.semantics import arithmetic
from bpmn.expressions.feel.semantics.evaluation import Evaluation
from bpmn.expressions.feel.semantics.mismatch import FeelMismatch
from bpmn.expressions.feel.values.compare import order
from bpmn.expressions.feel.values.functions import FeelFunction
from bpmn.expressions.feel.values.numbers import CONTEXT, ONE, finite
from bpmn.expressions.feel.values.temporal import DaysDuration, MonthsDuration

AGGREGATES: Final = Library()


@AGGREGATES.define("min(list: list)", spread=True)
def _min(evaluation: Evaluation, items: list[Any]) -> Any:
    return _extreme(evaluation, items, -1)


@AGGREGATES.define("max(list: list)", spread=True)
def _max(evaluation: Evaluation, items: list[Any]) -> Any:
    return _extreme(evaluation, items, 1)


def _extreme(evaluation: Evaluation, items: list[Any], sign: int) -> Any:
    evaluation.charge(len(items) // 8)
    best = items[0] if items else None
    for item in items:
        place = order(item, best)
        if place is None:
            raise FeelMismatch("values of one kind that have an order", item, best)
        if place * sign > 0:
            best = item
    return best


@AGGREGATES.define("sum(list: list)", spread=True)
def _sum(evaluation: Evaluation, items: list[Any]) -> Any:
    return _total(evaluation, items)


@AGGREGATES.define("mean(list: list)", spread=True)
def _mean(evaluation: Evaluation, items: list[Any]) -> Any:
    total = _total(evaluation, items)
    return None if total is None else arithmetic.divide(evaluation, total, Decimal(len(items)))


def _total(evaluation: Evaluation, items: list[Any]) -> Any:
    """The sum of numbers, or of durations of one kind; None of nothing."""
    if not items:
        return None
    kind = type(items[0])
    if kind not in (Decimal, DaysDuration, MonthsDuration) or any(type(item) is not kind for item in items):
        raise refused("the list holds other things than numbers, or than durations of one kind")
    evaluation.charge(len(items) // 8)
    return reduce(lambda left, right: arithmetic.add(evaluation, left, right), items)


@AGGREGATES.define("product(list: list)", spread=True)
def _product(evaluation: Evaluation, items: list[Any]) -> Decimal | None:
    numbers = _numbers(evaluation, items)
    return number_or_refused(finite(reduce(CONTEXT.multiply, numbers, ONE))) if numbers else None


@AGGREGATES.define("median(list: list)", spread=True)
def _median(evaluation: Evaluation, items: list[Any]) -> Decimal | None:
    numbers = sorted(_numbers(evaluation, items))
    if not numbers:
        return None
    middle = len(numbers) // 2
    if len(numbers) % 2:
        return numbers[middle]
    return CONTEXT.divide(CONTEXT.add(numbers[middle - 1], numbers[middle]), Decimal(2))


@AGGREGATES.define("stddev(list: list)", spread=True)
def _stddev(evaluation: Evaluation, items: list[Any]) -> Decimal:
    """Of a sample."""
    numbers = _numbers(evaluation, items)
    if len(numbers) < 2:
        raise refused("the list has fewer than two numbers")
    mean = CONTEXT.divide(reduce(CONTEXT.add, numbers), Decimal(len(numbers)))
    squares = [CONTEXT.power(CONTEXT.subtract(number, mean), Decimal(2)) for number in numbers]
    variance = CONTEXT.divide(reduce(CONTEXT.add, squares), Decimal(len(numbers) - 1))
    return number_or_refused(finite(CONTEXT.sqrt(variance)))


@AGGREGATES.define("mode(list: list)", spread=True)
def _mode(evaluation: Evaluation, items: list[Any]) -> list[Decimal]:
    counts: dict[Decimal, int] = {}
    for number in _numbers(evaluation, items):
        counts[number] = counts.get(number, 0) + 1
    most = max(counts.values(), default=0)
    return sorted(number for number, count in counts.items() if count == most)


def _numbers(evaluation: Evaluation, items: list[Any]) -> list[Decimal]:
    for item in items:
        if type(item) is not Decimal:
            raise FeelMismatch("numbers", item)
    evaluation.charge(len(items) // 8)
    return items


@AGGREGATES.define("all(list: list)", spread=True)
def _all(evaluation: Evaluation, items: list[Any]) -> bool | None:
    return _decided(evaluation, items, False)


@AGGREGATES.define("any(list: list)", spread=True)
def _any(evaluation: Evaluation, items: list[Any]) -> bool | None:
    return _decided(evaluation, items, True)


def _decided(evaluation: Evaluation, items: list[Any], decides: bool) -> bool | None:
    evaluation.charge(len(items) // 8)
    if any(item is decides for item in items):
        return decides
    return not decides if all(type(item) is bool for item in items) else None


@AGGREGATES.define("not(negand: any)")
def _not(_: Evaluation, value: Any) -> bool | None:
    return not value if type(value) is bool else None


@AGGREGATES.define("sort(list: list, precedes?: function)")
def _sort(evaluation: Evaluation, items: list[Any], precedes: FeelFunction | None) -> list[Any]:
    """`precedes(a, b)`: a comes before b. Without it, values in their order; equal ones stay as they are."""

    def place(left: Any, right: Any) -> int:
        evaluation.charge(1)
        if precedes is None:
            found = order(left, right)
            if found is None:
                raise FeelMismatch("values of one kind that have an order", left, right)
            return found
        if precedes.call(evaluation, [left, right]) is True:
            return -1
        return 1 if precedes.call(evaluation, [right, left]) is True else 0

    return sorted(items, key=cmp_to_key(place))


