"""Values for people to read."""

from __future__ import annotations

from typing import Any

import orjson

from engine.cli.screen.clean import one_line


def brief(value: Any, width: int) -> str:
    """A value in one line of at most `width` characters: text in quotes, anything else as JSON."""
    raw = orjson.dumps(value).decode()
    return one_line(raw, width)


def spoken(value: Any, width: int) -> str:
    """As `brief`, but text as it is, without quotes."""
    return one_line(value, width) if isinstance(value, str) else brief(value, width)
