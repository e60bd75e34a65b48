"""JSON that people write and read, with integers of any size: orjson knows those of 64 bits only."""

from __future__ import annotations

import json
import re
from typing import Any, Final, NoReturn

import orjson

_BEYOND_64_BITS: Final = re.compile(r"\d{19}")
_LENIENT: Final = orjson.OPT_NON_STR_KEYS


def parse(text: str) -> Any:
    """The JSON value that a text is. Raises json.JSONDecodeError."""
    if not _BEYOND_64_BITS.search(text):
        return orjson.loads(text)
    try:
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError:
        raise
    except (ValueError, RecursionError) as error:
        raise json.JSONDecodeError(str(error), text, 0) from error


def compact(value: Any) -> str:
    """A JSON value in one line. Raises TypeError for what is none."""
    try:
        return orjson.dumps(value, option=_LENIENT).decode()
    except TypeError:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def pretty(document: Any, *, sort_keys: bool = False) -> str:
    """A JSON document over several lines. Raises TypeError for what is none."""
    options = _LENIENT | orjson.OPT_INDENT_2 | (orjson.OPT_SORT_KEYS if sort_keys else 0)
    try:
        return orjson.dumps(document, option=options).decode()
    except TypeError:
        return json.dumps(document, ensure_ascii=False, indent=2, sort_keys=sort_keys)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
