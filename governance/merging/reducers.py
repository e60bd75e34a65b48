"""Reducers: strategies that fold writes instead of choosing one (Design: D3 merge, resolve)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Final

from governance.merging.conflicts import Status
from governance.merging.originals import Step
from governance.merging.paths import DELETED, identical
from governance.snapshots.canonical import canonical
from governance.vocabulary import MergeStrategy


class CannotFold(Exception):
    """The reducer does not apply to these values: for good (DENIED), or so that a person can still settle it (OPEN)."""

    def __init__(self, status: Status, reason: str) -> None:
        self.status, self.reason = status, reason
        super().__init__(reason)


ADDITIVE: Final = (MergeStrategy.SUM, MergeStrategy.APPEND)
"""Reducers of which every write is a part, overwritten or not: what it adds to what its writer saw."""


def add_up(strategy: MergeStrategy, base: Any, steps: Sequence[Step]) -> Any:
    """SUM or APPEND of the base and the increments of all writes since it, in stamp order. Raises CannotFold.

    null and what is deleted count as nothing.
    """
    return _sum(base, steps) if strategy is MergeStrategy.SUM else _append(base, steps)


def fold(strategy: MergeStrategy, values: Sequence[Any]) -> Any:
    """UNION, MIN or MAX of the values that nobody overwrote, in stamp order. Raises CannotFold.

    The base is none of them, so that a branch that wrote nothing has no part in the outcome, and that of a single
    writer is what it wrote. null and what is deleted count as nothing.
    """
    written = [value for value in values if not is_nothing(value)]
    if strategy is MergeStrategy.UNION:
        return _union(written)
    _check_comparable(written)
    return min(written) if strategy is MergeStrategy.MIN else max(written)


def is_nothing(value: Any) -> bool:
    """Whether a reducer takes the value for nothing at all: null, or deleted."""
    return value is None or value is DELETED


def _sum(base: Any, steps: Sequence[Step]) -> int | float:
    numbers = [_number(value) for step in steps for value in (step.after, step.before)]
    start = _number(base)
    # Decimal fractions are exact here, so the outcome does not depend on the order.
    total = _exact(start) + sum(_exact(after) - _exact(before) for after, before in _pairs(numbers))
    if all(isinstance(number, int) for number in (start, *numbers)):
        return int(total)
    try:
        return float(total)
    except OverflowError:
        raise CannotFold(Status.DENIED, "the sum is too large for a number") from None


def _append(base: Any, steps: Sequence[Step]) -> list[Any]:
    result = list(_list(base))
    for step in steps:
        before, after = _list(step.before), _list(step.after)
        if not identical(after[: len(before)], before):
            raise CannotFold(Status.OPEN, "a branch changed or cut what was in the list")
        result += after[len(before) :]
    return result


def _union(values: Sequence[Any]) -> list[Any]:
    items: dict[bytes, Any] = {}
    for value in values:
        for item in _list(value):
            items.setdefault(canonical(item), item)
    return list(items.values())


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(value: Any) -> int | float:
    if is_nothing(value):
        return 0
    if not _is_number(value):
        raise CannotFold(Status.DENIED, f"SUM needs numbers and found {_kind(value)}")
    number: int | float = value
    return number


def _exact(number: int | float) -> Fraction:
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def _pairs(numbers: Sequence[int | float]) -> Iterable[tuple[int | float, int | float]]:
    return zip(numbers[::2], numbers[1::2], strict=True)


def _list(value: Any) -> list[Any]:
    if is_nothing(value):
        return []
    if not isinstance(value, list):
        raise CannotFold(Status.DENIED, f"APPEND and UNION need lists and found {_kind(value)}")
    return value


def _check_comparable(values: Sequence[Any]) -> None:
    if not values or not (all(map(_is_number, values)) or all(isinstance(value, str) for value in values)):
        kinds = ", ".join(sorted({_kind(value) for value in values})) or "nothing"
        raise CannotFold(Status.DENIED, f"MIN and MAX need numbers, or texts, and found {kinds}")


def _kind(value: Any) -> str:
    kinds = {bool: "a truth value", int: "a number", float: "a number", str: "text", list: "a list", dict: "an object"}
    return kinds[type(value)]
