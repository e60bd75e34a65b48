"""The methods that a text may call, by the exact type of the value they are called on."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from bpmn.expressions.library.collection_methods import DICT_METHODS, LIST_METHODS, SET_METHODS, TUPLE_METHODS
from bpmn.expressions.library.functions import Function
from bpmn.expressions.library.text_methods import TEXT_METHODS
from bpmn.expressions.run import Run


def _is_integer(run: Run, value: float) -> bool:
    return value.is_integer()


METHODS: Mapping[type[Any], Mapping[str, Function]] = MappingProxyType({
    str: TEXT_METHODS,
    list: LIST_METHODS,
    dict: DICT_METHODS,
    tuple: TUPLE_METHODS,
    set: SET_METHODS,
    float: MappingProxyType({"is_integer": _is_integer}),
})

METHOD_NAMES = frozenset(name for methods in METHODS.values() for name in methods)

CHANGING = frozenset({
    "add", "append", "clear", "discard", "extend", "insert", "pop", "remove", "reverse", "setdefault", "sort", "update",
})  # fmt: skip
"""The methods that change the value they are called on; each is a name of no other kind of method."""

GATHERING_METHODS = frozenset({
    "difference", "extend", "intersection", "join", "symmetric_difference", "union", "update",
})  # fmt: skip
"""The methods that take a generator expression."""
