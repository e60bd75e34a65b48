"""Values as text: `str`, f-strings and `format`, with nothing in a format that could read an attribute."""

from __future__ import annotations

import re
from itertools import count
from string import Formatter
from typing import Any

from bpmn.expressions.door import in_order
from bpmn.expressions.errors import InvalidValue, LimitReached, TypeMismatch
from bpmn.expressions.operations.weight import TEXT_SHIFT, pay_text
from bpmn.expressions.run import Run
from bpmn.expressions.values import SCALARS

MAX_WIDTH = 1000
"""Largest width and precision of a format."""

_SPEC = re.compile(r"(?:.?[<>=^])?[-+ ]?z?#?0?(?P<width>\d*)[,_]?(?:\.(?P<precision>\d+))?[bdeEfFgGosxX%]?", re.DOTALL)
_FORMATTED = frozenset({str, bool, int, float})


def to_text(run: Run, value: Any) -> str:
    """`str(value)`, the same in every process: sets in order. Raises LimitReached, TypeMismatch."""
    if type(value) is str:
        return value
    return to_literal(run, value)


def to_literal(run: Run, value: Any) -> str:
    """`repr(value)`, sets in order. Raises LimitReached, TypeMismatch."""
    text = _Text(run)
    text.write(value, 0)
    return text.whole()


def formatted(run: Run, value: Any, conversion: str | None, spec: str) -> str:
    """One replacement field of a format. Raises InvalidValue, TypeMismatch, LimitReached."""
    if conversion == "s":
        value = to_text(run, value)
    elif conversion is not None:
        value = to_literal(run, value)
        if conversion == "a":
            value = value.encode("ascii", "backslashreplace").decode("ascii")
    if not spec:
        return to_text(run, value)
    _check(spec)
    if type(value) not in _FORMATTED:
        raise TypeMismatch("a format such as :>10 applies to text and numbers", value)
    text = format(value, spec)
    pay_text(run, len(text))
    return text


def fill(run: Run, template: str, positional: tuple[Any, ...], named: dict[str, Any]) -> str:
    """`template.format(...)`: fields are {}, {0} or {name}, with a conversion and a plain format.

    Raises InvalidValue, TypeMismatch, LimitReached.
    """
    text = _Text(run)
    numbers = count()
    for literal, name, spec, conversion in Formatter().parse(template):
        text.add(literal)
        if name is not None:
            value = _argument(name or str(next(numbers)), positional, named)
            text.add(formatted(run, value, conversion, spec or ""))
    return text.whole()


def _argument(name: str, positional: tuple[Any, ...], named: dict[str, Any]) -> Any:
    if name.isdecimal() and name.isascii() and len(name) < 5:
        if int(name) < len(positional):
            return positional[int(name)]
        raise InvalidValue(f"the format asks for value {name}, there are {len(positional)}")
    if name in named:
        return named[name]
    raise InvalidValue(f"the format has no value for {{{name}}}", allowed="{}, {0} and {name}")


def _check(spec: str) -> None:
    matched = _SPEC.fullmatch(spec)
    if matched is None:
        raise InvalidValue(f"there is no format {spec!r}", allowed="such as >10, 05d, ,.2f")
    for size in matched.groups():
        if size and (len(size) > 4 or int(size) > MAX_WIDTH):
            raise InvalidValue(f"the format {spec!r} is wider than {MAX_WIDTH}")


class _Text:
    """A text made of pieces, so that a limit is met before the text is large."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pieces: list[str] = []
        self._length = 0

    def whole(self) -> str:
        return "".join(self._pieces)

    def add(self, piece: str) -> None:
        self._length += len(piece)
        if self._length > self._run.limits.text:
            raise LimitReached("text", self._run.limits.text)
        self._run.charge(1 + (len(piece) >> TEXT_SHIFT))
        self._pieces.append(piece)

    def write(self, value: Any, depth: int) -> None:
        """Add the literal of a value."""
        kind = type(value)
        if kind in SCALARS:
            self.add(repr(value))
        elif depth == self._run.limits.depth:
            raise LimitReached("depth", depth)
        elif kind is list:
            self._items("[", value, "]", depth)
        elif kind is tuple:
            self._items("(", value, ",)" if len(value) == 1 else ")", depth)
        elif kind is set:
            self._items("{", in_order(value), "}", depth) if value else self.add("set()")
        elif kind is dict:
            self._fields(value, depth)
        else:
            raise TypeMismatch("only JSON values, tuples and sets have a text", value)

    def _items(self, opening: str, items: Any, closing: str, depth: int) -> None:
        self.add(opening)
        for index, item in enumerate(items):
            if index:
                self.add(", ")
            self.write(item, depth + 1)
        self.add(closing)

    def _fields(self, fields: dict[Any, Any], depth: int) -> None:
        self.add("{")
        for index, (key, item) in enumerate(fields.items()):
            self.add(f"{', ' if index else ''}{key!r}: ")
            self.write(item, depth + 1)
        self.add("}")
