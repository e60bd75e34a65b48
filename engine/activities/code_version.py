"""Which version of its code a handler is: corrected code is another tool, and may be tried again."""

from __future__ import annotations

import hashlib
import inspect
from functools import lru_cache
from pathlib import Path


def code_version(function: object) -> str:
    """A hash of the file that the function, or the class of the callable, is written in; "" where there is none."""
    unwrapped = inspect.unwrap(function) if callable(function) else function
    code = getattr(unwrapped, "__code__", None) or getattr(getattr(unwrapped, "__call__", None), "__code__", None)  # noqa: B004
    return "" if code is None else _hash_of(code.co_filename)


@lru_cache(256)
def _hash_of(file: str) -> str:
    """Read once: what runs is what was loaded."""
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]
    except OSError:
        return ""
