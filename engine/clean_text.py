"""Text from files, models and people, made safe to show: nothing in it moves a cursor or reorders letters."""

from __future__ import annotations

import re

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def clean(text: str) -> str:
    """`text` with control characters written out (`\\x1b`); line breaks and tabs stay."""
    return _CONTROL.sub(_written_out, text.replace("\r\n", "\n"))


def one_line(text: str, limit: int | None = None) -> str:
    """`text` on one line, white space closed up, at most `limit` characters long."""
    joined = " ".join(clean(text).split())
    return joined if limit is None or len(joined) <= limit else joined[: max(limit - 1, 0)].rstrip() + "…"


def _written_out(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
