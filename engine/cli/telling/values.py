"""Values for people to read."""

from __future__ import annotations

from typing import Any

from engine.clean_text import one_line
from engine.json_text import compact


def brief(value: Any, width: int) -> str:
    """A value in one line of at most `width` characters: text in quotes, anything else as JSON."""
    return one_line(compact(value), width)


def spoken(value: Any, width: int) -> str:
    """As `brief`, but text as it is, without quotes."""
    return one_line(value, width) if isinstance(value, str) else brief(value, width)
