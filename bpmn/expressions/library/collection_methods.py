"""Methods of lists, tuples, objects and sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from bpmn.expressions.errors import InvalidValue, MissingKey
from bpmn.expressions.library.functions import Function, ordered
from bpmn.expressions.operations.containers import as_key, collect, grown, pay_shift, to_fields
from bpmn.expressions.operations.weight import pay_items, weigh
from bpmn.expressions.run import Run
from bpmn.expressions.values import MISSING


def _append(run: Run, items: list[Any], value: Any, /) -> None:
    items.append(value)
    grown(run, items)


def _extend(run: Run, items: list[Any], values: Any, /) -> None:
    items.extend(collect(run, values))
    grown(run, items)


def _insert(run: Run, items: list[Any], position: Any, value: Any, /) -> None:
    pay_shift(run, items)
    items.insert(position, value)
    grown(run, items)


def _pop_item(run: Run, items: list[Any], position: Any = -1, /) -> Any:
    pay_shift(run, items)
    return items.pop(position)


def _remove(run: Run, items: list[Any], value: Any, /) -> None:
    _pay_comparisons(run, items, value)
    try:
        items.remove(value)
    except ValueError:
        raise InvalidValue("the list has no such item to remove") from None


def _sort(run: Run, items: list[Any], *, reverse: Any = False) -> None:
    ordered(run, items, reverse)


def _reverse(run: Run, items: list[Any]) -> None:
    pay_shift(run, items)
    items.reverse()


def _index(run: Run, items: Any, value: Any, /, *bounds: Any) -> int:
    _pay_comparisons(run, items, value)
    try:
        return int(items.index(value, *bounds))
    except ValueError:
        raise InvalidValue("there is no such item") from None


def _count(run: Run, items: Any, value: Any, /) -> int:
    _pay_comparisons(run, items, value)
    return int(items.count(value))


def _pay_comparisons(run: Run, items: Any, value: Any) -> None:
    weigh(run, items)
    weigh(run, value)


def _copy(run: Run, value: Any) -> Any:
    pay_items(run, len(value))
    return value.copy()


def _clear(run: Run, value: Any) -> None:
    value.clear()


def _get(run: Run, fields: dict[Any, Any], key: Any, default: Any = None, /) -> Any:
    return fields.get(as_key(key), default)


def _keys(run: Run, fields: dict[Any, Any]) -> list[Any]:
    pay_items(run, len(fields))
    return list(fields)


def _values(run: Run, fields: dict[Any, Any]) -> list[Any]:
    pay_items(run, len(fields))
    return list(fields.values())


def _items(run: Run, fields: dict[Any, Any]) -> list[Any]:
    pay_items(run, len(fields))
    return list(fields.items())


def _pop_field(run: Run, fields: dict[Any, Any], key: Any, default: Any = MISSING, /) -> Any:
    found = fields.pop(as_key(key), default)
    if found is MISSING:
        raise MissingKey(key, fields)
    return found


def _setdefault(run: Run, fields: dict[Any, Any], key: Any, default: Any = None, /) -> Any:
    found = fields.setdefault(as_key(key), default)
    grown(run, fields)
    return found


def _update_fields(run: Run, fields: dict[Any, Any], other: Any = (), /, **named: Any) -> None:
    fields.update(to_fields(run, other), **named)
    grown(run, fields)


def _add(run: Run, values: set[Any], value: Any, /) -> None:
    values.add(as_key(value))
    grown(run, values)


def _discard(run: Run, values: set[Any], value: Any, /) -> None:
    values.discard(as_key(value))


def _remove_from_set(run: Run, values: set[Any], value: Any, /) -> None:
    if as_key(value) not in values:
        raise InvalidValue("the set has no such value to remove")
    values.remove(value)


def _with_others(method: Callable[..., Any]) -> Function:
    """A method of a set that takes any number of other collections."""

    def call(run: Run, values: set[Any], /, *others: Any) -> Any:
        given = [{as_key(value) for value in collect(run, other)} for other in others]
        pay_items(run, len(values))
        result = method(values, *given)
        grown(run, values)
        if type(result) is set:
            grown(run, result)
        return result

    return call


_SEQUENCE: dict[str, Function] = {"count": _count, "index": _index}

LIST_METHODS: Mapping[str, Function] = MappingProxyType({
    **_SEQUENCE,
    "append": _append,
    "clear": _clear,
    "copy": _copy,
    "extend": _extend,
    "insert": _insert,
    "pop": _pop_item,
    "remove": _remove,
    "reverse": _reverse,
    "sort": _sort,
})
TUPLE_METHODS: Mapping[str, Function] = MappingProxyType(_SEQUENCE)
DICT_METHODS: Mapping[str, Function] = MappingProxyType({
    "clear": _clear,
    "copy": _copy,
    "get": _get,
    "items": _items,
    "keys": _keys,
    "pop": _pop_field,
    "setdefault": _setdefault,
    "update": _update_fields,
    "values": _values,
})
_SET_OPERATIONS = (
    "difference", "intersection", "isdisjoint", "issubset", "issuperset", "symmetric_difference", "union", "update",
)  # fmt: skip
SET_METHODS: Mapping[str, Function] = MappingProxyType({
    **{name: _with_others(getattr(set, name)) for name in _SET_OPERATIONS},
    "add": _add,
    "clear": _clear,
    "copy": _copy,
    "discard": _discard,
    "remove": _remove_from_set,
})
