"""Augmented assignment: lists, objects and sets are changed in place, all else is computed anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from bpmn.expressions.operations import arithmetic
from bpmn.expressions.operations.containers import collect, grown, to_fields
from bpmn.expressions.run import Run

Operation = Callable[[Run, Any, Any], Any]


def _extend(run: Run, target: Any, other: Any) -> Any:
    target.extend(collect(run, other))
    grown(run, target)
    return target


def _repeat(run: Run, target: Any, other: Any) -> Any:
    target[:] = arithmetic.multiply(run, target, other)
    return target


def _merge(run: Run, target: Any, other: Any) -> Any:
    target.update(to_fields(run, other))
    grown(run, target)
    return target


def _in_place(operation: Operation) -> Operation:
    """A set operation whose result goes into the set itself."""

    def change(run: Run, target: Any, other: Any) -> Any:
        result = operation(run, target, other)
        target.clear()
        target.update(result)
        return target

    return change


_IN_PLACE: Mapping[Operation, Mapping[type[Any], Operation]] = MappingProxyType({
    arithmetic.add: {list: _extend},
    arithmetic.multiply: {list: _repeat},
    arithmetic.bit_or: {dict: _merge, set: _in_place(arithmetic.bit_or)},
    arithmetic.bit_and: {set: _in_place(arithmetic.bit_and)},
    arithmetic.bit_xor: {set: _in_place(arithmetic.bit_xor)},
    arithmetic.subtract: {set: _in_place(arithmetic.subtract)},
})


def augmented(operation: Operation) -> Operation:
    """`target op= other` for a binary operation; gives what to store in the target."""
    in_place = _IN_PLACE.get(operation, {})

    def compute(run: Run, target: Any, other: Any) -> Any:
        return in_place.get(type(target), operation)(run, target, other)

    return compute
