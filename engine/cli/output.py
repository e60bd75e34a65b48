"""JSON on standard output."""

from __future__ import annotations

import sys
from typing import Any

import orjson


def print_json(document: Any) -> None:
    """One document, indented, and nothing else on its lines."""
    raw = orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS)
    sys.stdout.write(raw.decode())
    sys.stdout.flush()
