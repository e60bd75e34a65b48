"""The door: what leaves a run is a JSON value, and is the caller's own object where nothing changed."""

from __future__ import annotations

from math import isfinite
from typing import Any

from bpmn.expressions.errors import LimitReached, NotJson
from bpmn.expressions.limits import Limits
from bpmn.expressions.values import MISSING

Trail = tuple[str | int, ...]

SHORT = 1000
"""Texts below this many characters need no counting."""
_CONTAINER, _ITEM = 16, 4
"""Characters that a list or object, and each of its items, count besides their text."""
_SMALL = 1 << 62


class Door:
    """Lets the results of one run out, within `limits.result` and `limits.depth`."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._left = limits.result

    def settle(self, value: Any, old: Any, trail: Trail) -> Any:
        """`value` as JSON; parts equal to those of `old` at the same place, type for type, are the parts of `old`.

        So `settle(value, old) is old` says that nothing changed. Tuples and sets become lists, sets in order.
        Other new lists and objects are new, shared with nothing inside the run. `trail` is the path to `value`.
        Raises NotJson, LimitReached.
        """
        if value is old:
            return old
        kind = type(value)
        if kind is list or kind is tuple:
            return self._list(value, old, trail)
        if kind is dict:
            return self._dict(value, old, trail)
        if kind is set:
            return self._list(in_order(value), old, trail)
        self._scalar(value, trail)
        return old if kind is type(old) and value == old else value

    def _list(self, items: list[Any] | tuple[Any, ...], old: Any, trail: Trail) -> list[Any]:
        self._enter(len(items), trail)
        before = old if type(old) is list else []
        known = len(before)
        same = before is old and len(items) == known
        settled = []
        for index, item in enumerate(items):
            was = before[index] if index < known else MISSING
            kept = item if item is was else self.settle(item, was, (*trail, index))
            settled.append(kept)
            same = same and kept is was
        return before if same else settled

    def _dict(self, fields: dict[Any, Any], old: Any, trail: Trail) -> dict[str, Any]:
        self._enter(len(fields), trail)
        before = old if type(old) is dict else {}
        same = before is old and len(fields) == len(before)
        settled = {}
        for key, item in fields.items():
            was = before.get(key, MISSING)
            if was is MISSING:
                self._key(key, fields, trail)
            kept = item if item is was else self.settle(item, was, (*trail, key))
            settled[key] = kept
            same = same and kept is was
        return before if same else settled

    def _key(self, key: Any, fields: dict[Any, Any], trail: Trail) -> None:
        if type(key) is not str:
            raise NotJson(trail, fields, f"with the key {key!r}")
        self._text(key, trail)

    def _enter(self, size: int, trail: Trail) -> None:
        if len(trail) > self._limits.depth:
            raise LimitReached("depth", self._limits.depth)
        self._pay(_CONTAINER + _ITEM * size)

    def _scalar(self, value: Any, trail: Trail) -> None:
        kind = type(value)
        if kind is str:
            self._text(value, trail)
        elif kind is float:
            if not isfinite(value):
                raise NotJson(trail, value)
        elif kind is int:
            if value.bit_length() > self._limits.integer_bits:
                raise LimitReached("integer_bits", self._limits.integer_bits)
        elif value is not None and kind is not bool:
            raise NotJson(trail, value)

    def _text(self, text: str, trail: Trail) -> None:
        self._pay(len(text))
        if not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError:
                raise NotJson(trail, text, "with half of a surrogate pair") from None

    def _pay(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise LimitReached("result", self._limits.result)


def leaves_freely(value: Any) -> bool:
    """Whether a value is JSON at one look: what a scalar that is not large nearly always is."""
    kind = type(value)
    if kind is int:
        return bool(-_SMALL < value < _SMALL)
    if kind is str:
        return len(value) < SHORT and value.isascii()
    return kind is bool or value is None


def in_order(values: set[Any]) -> list[Any]:
    """A set's values in an order that is the same in every process: Python's own differs from run to run."""
    return sorted(values, key=lambda value: (_RANK[type(value)], value if value is not None else 0))


_RANK = {type(None): 0, bool: 1, int: 1, float: 1, str: 2}
