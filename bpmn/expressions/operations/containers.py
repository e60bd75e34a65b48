"""Reading and changing what is inside lists, objects, tuples, sets and text."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from types import GeneratorType
from typing import Any

from bpmn.expressions.door import in_order
from bpmn.expressions.errors import InvalidValue, LimitReached, MissingKey, TypeMismatch
from bpmn.expressions.operations.weight import ITEMS_SHIFT, TEXT_SHIFT, pay_items, pay_text
from bpmn.expressions.run import Run
from bpmn.expressions.values import MISSING, SCALARS, WHOLE

_SEQUENCES = frozenset({list, tuple, str})
_KEY_BITS = 61
"""Whole numbers of more bits share their hash with others: enough such keys, and a lookup takes as long as a search."""


def field(run: Run, value: Any, name: str) -> Any:
    """`value.name`: a field of an object, never an attribute of the Python value."""
    if type(value) is not dict:
        raise TypeMismatch(f"only an object has fields such as .{name}", value, operand=0)
    found = value.get(name, MISSING)
    if found is MISSING:
        raise MissingKey(name, value)
    return found


def item(run: Run, value: Any, key: Any) -> Any:
    """`value[key]`."""
    kind = type(value)
    if kind is dict:
        found = value.get(as_key(key), MISSING)
        if found is MISSING:
            raise MissingKey(key, value)
        return found
    if kind not in _SEQUENCES:
        raise TypeMismatch("[] reads from an object, a list or text", value, operand=0)
    if type(key) is slice:
        part = value[key]
        (pay_text if kind is str else pay_items)(run, len(part))
        return part
    _whole_index(key)
    try:
        return value[key]
    except IndexError:
        raise _no_item(value, key) from None


def set_item(run: Run, value: Any, key: Any, new: Any) -> None:
    """`value[key] = new`."""
    kind = type(value)
    if kind is dict:
        value[as_key(key)] = new
        grown(run, value)
    elif kind is not list:
        raise TypeMismatch("only fields of an object and items of a list can be set", value, operand=0)
    elif type(key) is slice:
        value[key] = collect(run, new)
        grown(run, value)
    else:
        _whole_index(key)
        try:
            value[key] = new
        except IndexError:
            raise _no_item(value, key) from None


def delete_item(run: Run, value: Any, key: Any) -> None:
    """`del value[key]`."""
    kind = type(value)
    if kind is dict:
        if value.pop(as_key(key), MISSING) is MISSING:
            raise MissingKey(key, value)
        return
    if kind is not list:
        raise TypeMismatch("only fields of an object and items of a list can be deleted", value, operand=0)
    run.charge(len(value) >> ITEMS_SHIFT)
    if type(key) is not slice:
        _whole_index(key)
    try:
        del value[key]
    except IndexError:
        raise _no_item(value, key) from None


def part(start: Any, stop: Any, step: Any) -> slice:
    """The bounds of `[start:stop:step]`."""
    for bound in (start, stop, step):
        if bound is not None and type(bound) not in WHOLE:
            raise TypeMismatch("the bounds of [:] are whole numbers", bound)
    return slice(start, stop, step)


def as_key(value: Any) -> Any:
    """A value that may be a key of an object or in a set: text, a number, None, True or False."""
    kind = type(value)
    if kind is str:
        return value
    if kind not in SCALARS:
        raise TypeMismatch("keys, and what is in a set, are text, numbers, None, True or False", value)
    if kind is int and value.bit_length() > _KEY_BITS:
        raise InvalidValue("the number is too large for a key or for what is in a set")
    return value


def iterate(run: Run, value: Any) -> Collection[Any] | Iterator[Any]:
    """What a loop runs over. A set gives its values in order, whatever order Python keeps them in."""
    kind = type(value)
    if kind is list or kind is dict or kind is tuple or kind is str or kind is GeneratorType:
        values: Collection[Any] | Iterator[Any] = value
        return values
    if kind is set:
        return in_order(value)
    raise TypeMismatch("a loop runs over a list, an object, a tuple, a set or text", value, operand=0)


def collect(run: Run, value: Any) -> list[Any]:
    """A new list of all that a loop over `value` gives."""
    values = iterate(run, value)
    if isinstance(values, Iterator):
        return _drain(run, values)
    pay_items(run, len(values))
    return list(values)


def _drain(run: Run, values: Iterator[Any]) -> list[Any]:
    most = run.limits.items
    drained: list[Any] = []
    for value in values:
        drained.append(value)
        if len(drained) > most:
            raise LimitReached("items", most)
    return drained


def to_fields(run: Run, fields: Any) -> dict[Any, Any]:
    """A new object from an object or from pairs."""
    if type(fields) is dict:
        pay_items(run, len(fields))
        return fields.copy()
    made = {}
    for pair in collect(run, fields):
        key, value = collect(run, pair)
        made[as_key(key)] = value
    return made


def grown(run: Run, value: Any) -> None:
    """Pay for a collection after something was added to it."""
    if len(value) > run.limits.items:
        raise LimitReached("items", run.limits.items)


def pay_shift(run: Run, items: list[Any]) -> None:
    """Pay for moving the items of a list."""
    run.charge(len(items) >> (ITEMS_SHIFT + TEXT_SHIFT))


def _whole_index(key: Any) -> None:
    if type(key) not in WHOLE:
        raise TypeMismatch("items are counted by whole numbers from 0", key, operand=1)


def _no_item(value: Any, key: int) -> InvalidValue:
    return InvalidValue(f"there is no item {key}; there are {len(value)}")
