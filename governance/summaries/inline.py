"""A value on one line, as it stands behind ``key =`` in a fact sheet."""

from __future__ import annotations

import json
from collections.abc import Mapping

from governance.summaries.clipping import ELLIPSIS, clip
from governance.summaries.kinds import JSON, Number

_DEEPEST = 8
_STRUCTURE = frozenset(',;={}[]"')
_CONSTANTS: Mapping[JSON, str] = {None: "null", True: "true", False: "false"}


def inline(value: JSON, limit: int) -> str:
    """Return ``value`` on one line, cut to ``limit`` code points; objects as ``{a: 1, b: x}``, lists as ``[x, y]``.

    Text inside them is quoted only where its end would be unclear. What is nested deeper than eight levels is an
    ellipsis.
    """
    return clip(_head(value, limit), limit)


def whole_line(value: JSON, limit: int) -> str | None:
    """Return ``value`` on one line, or None if that takes more than ``limit`` code points."""
    line = _head(value, limit)
    return line if len(line) <= limit else None


def one_line(text: str) -> str:
    """Return ``text`` with every run of white space as one space."""
    return " ".join(text.split())


def _head(value: JSON, limit: int) -> str:
    """Return the line as far as it matters: at least one code point more than ``limit`` if it is longer."""
    if isinstance(value, str):
        return _text(value, 0)
    parts: list[str] = []
    _write(value, parts, limit, 0)
    return "".join(parts)


def _write(value: JSON, parts: list[str], room: int, depth: int) -> int:
    """Append ``value`` to ``parts`` until ``room`` is used up, and return what is left of it."""
    if isinstance(value, str):
        return _append(parts, _text(value, depth), room)
    if value is None or isinstance(value, bool):
        return _append(parts, _CONSTANTS[value], room)
    if isinstance(value, int | float):
        return _append(parts, repr(value), room)
    if depth == _DEEPEST:
        return _append(parts, ELLIPSIS, room)
    separator = ""
    if isinstance(value, Mapping):
        room = _append(parts, "{", room)
        for key, item in value.items():
            room = _write(item, parts, _append(parts, f"{separator}{one_line(key)}: ", room), depth + 1)
            separator = ", "
            if room < 0:
                return room
        return _append(parts, "}", room)
    room = _append(parts, "[", room)
    for item in value:
        room = _write(item, parts, _append(parts, separator, room), depth + 1)
        separator = ", "
        if room < 0:
            return room
    return _append(parts, "]", room)


def _append(parts: list[str], part: str, room: int) -> int:
    parts.append(part)
    return room - len(part)


def _text(text: str, depth: int) -> str:
    line = one_line(text)
    if isinstance(text, Number) or (line and (depth == 0 or _STRUCTURE.isdisjoint(line))):
        return line
    return json.dumps(line, ensure_ascii=False)
