"""JSON values as bytes: one spelling per value, and private copies of them (Design: entries)."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from math import isfinite
from typing import Any, Final

import orjson

from governance.errors import NotJson

MAX_DEPTH = 254
"""Deepest nesting of lists and objects that a value may have: as deep as orjson goes."""

OPTIONS: Final = (
    orjson.OPT_SORT_KEYS
    | orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
    | orjson.OPT_PASSTHROUGH_SUBCLASS
)
"""How orjson spells a value canonically."""
_SCALARS = frozenset({str, int, bool, type(None)})
_BEYOND_64_BITS = re.compile(rb"\d{19}")


def canonical(value: Any) -> bytes:
    """The one spelling of a JSON value: UTF-8, keys sorted, no blanks. Tuples count as lists.

    `1`, `1.0`, `true` and `"1"` have different spellings. Raises NotJson, naming the place inside the value,
    for whatever JSON cannot say: NaN, infinities, keys that are not text, lone surrogates, other types.
    """
    return encode(value)[0]


def spell(value: Any) -> bytes:
    """The same of what is known to be JSON, as a stored value is: nothing is checked."""
    try:
        return orjson.dumps(value, option=OPTIONS)
    except TypeError:
        return _encode_checked(value)[0]  # integers over 64 bits


def compact(raw: bytes) -> bytes:
    """A copy as large as it says: small bytes from orjson keep a buffer of 4 KB alive."""
    return bytes(memoryview(raw))


def digest(raw: bytes) -> str:
    """Content address of canonical bytes: the first 128 bits of their SHA-256, as 32 hexadecimal digits."""
    return sha256(raw).hexdigest()[:32]


def thaw(value: Any) -> Any:
    """A private deep copy of a JSON value: changing one never changes the other. Raises NotJson."""
    return encode(value)[1]


def encode(value: Any) -> tuple[bytes, Any]:
    """Canonical bytes and a private copy in one pass. Raises NotJson."""
    try:
        raw = orjson.dumps(value, option=OPTIONS)
        if type(value) in _SCALARS:
            return raw, value
        copy = orjson.loads(raw)
    except TypeError:
        return _encode_checked(value)
    # orjson writes NaN as null and knows UUIDs: what does not come back equal needs the careful path.
    return (raw, copy) if copy == value else _encode_checked(value)


def decode(raw: bytes) -> Any:
    """The value that canonical bytes spell. orjson reads integers over 64 bits as floats, so those go to stdlib."""
    return json.loads(raw) if _BEYOND_64_BITS.search(raw) else orjson.loads(raw)


def _encode_checked(value: Any) -> tuple[bytes, Any]:
    """The careful path: names what is wrong, and writes integers over 64 bits."""
    copy = _copy(value, "$", 0)
    try:
        return orjson.dumps(copy, option=OPTIONS), copy
    except TypeError:
        pass
    text = json.dumps(copy, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    try:
        return text.encode(), copy
    except UnicodeEncodeError:
        raise NotJson("$", "text with a lone surrogate") from None


def _copy(value: Any, path: str, depth: int) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float):
        if not isfinite(value):
            raise NotJson(path, repr(value))
        return float.__float__(value)
    if depth == MAX_DEPTH:
        raise NotJson(path, f"nesting of more than {MAX_DEPTH} levels")
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise NotJson(path, f"an object with the key {key!r}")
        return {str.__str__(key): _copy(item, f"{path}.{key}", depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_copy(item, f"{path}[{index}]", depth + 1) for index, item in enumerate(value)]
    raise NotJson(path, f"a {type(value).__name__}")
