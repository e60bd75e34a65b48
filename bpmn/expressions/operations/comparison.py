"""Comparisons. Containers are weighed first: see `weight`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from bpmn.expressions.errors import TypeMismatch
from bpmn.expressions.operations.containers import as_key
from bpmn.expressions.operations.weight import ITEMS_SHIFT, TEXT_SHIFT, weigh
from bpmn.expressions.run import Run
from bpmn.expressions.values import NUMBERS, SCALARS

Comparison = Callable[[Run, Any, Any], bool]

_ORDERED = frozenset({list, tuple, set})


def equal(run: Run, left: Any, right: Any) -> bool:
    if type(left) not in SCALARS and type(right) not in SCALARS:
        weigh(run, left)
        weigh(run, right)
    return bool(left == right)


def not_equal(run: Run, left: Any, right: Any) -> bool:
    return not equal(run, left, right)


def _ordering(symbol: str, compare: Callable[[Any, Any], bool]) -> Comparison:
    def ordered(run: Run, left: Any, right: Any) -> bool:
        kind, other = type(left), type(right)
        if kind in NUMBERS:
            if other in NUMBERS:
                return compare(left, right)
        elif kind is other:
            if kind is str:
                return compare(left, right)
            if kind in _ORDERED:
                weigh(run, left)
                weigh(run, right)
                return compare(left, right)
        raise TypeMismatch(f"{symbol} takes two numbers, two texts or two lists", left, right)

    return ordered


less = _ordering("<", operator.lt)
less_or_equal = _ordering("<=", operator.le)
greater = _ordering(">", operator.gt)
greater_or_equal = _ordering(">=", operator.ge)


def contained(run: Run, item: Any, container: Any) -> bool:
    """`item in container`."""
    kind = type(container)
    if kind is dict or kind is set:
        return as_key(item) in container
    if kind is list or kind is tuple:
        if type(item) in SCALARS:
            run.charge(len(container) >> ITEMS_SHIFT)
        else:
            weigh(run, container)
            run.charge(len(container))
            weigh(run, item)
        return item in container
    if kind is str and type(item) is str:
        run.charge(len(container) >> TEXT_SHIFT)
        return item in container
    allowed = "in takes text in text, or a value in a list, a set or the keys of an object"
    raise TypeMismatch(allowed, item, container)


def not_contained(run: Run, item: Any, container: Any) -> bool:
    return not contained(run, item, container)


def same(run: Run, left: Any, right: Any) -> bool:
    """`is`, for None, True and False."""
    return left is right


def not_same(run: Run, left: Any, right: Any) -> bool:
    return left is not right
