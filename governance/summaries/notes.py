"""The line at the end of a summary that says what it leaves out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from governance.summaries.clipping import ELLIPSIS

_NOTE = re.compile(rf"^[ \t]*{ELLIPSIS} \d+ of \d+ \w+ left out(?::[^\n]*)?$", re.MULTILINE)
_LONGEST_NAME = 40
_SHARE, _LEAST, _MOST = 6, 28, 160
"""Part (one in six) of a summary for its note, and bounds of it in code points."""


def note_room(room: int) -> int:
    """Return how many of ``room`` code points to keep for the note."""
    return min(room, max(_LEAST, min(_MOST, room // _SHARE)))


def left_out(count: int, total: int, noun: str, room: int, names: Sequence[str] = ()) -> str:
    """Return "… 12 of 40 rows left out: A-1, A-2, …" with as many of the names of what is missing as ``room`` holds.

    Where not even the count fits, only the ellipsis is left, or nothing; nothing, too, where ``count`` is 0.
    """
    if count == 0:
        return ""
    note = f"{ELLIPSIS} {count} of {total} {noun} left out"
    if len(note) > room:
        return ELLIPSIS[:room]
    separator, more = ": ", f", {ELLIPSIS}"
    for at, name in enumerate(names):
        reserve = 0 if at == len(names) - 1 else len(more)
        if len(name) > _LONGEST_NAME or len(note) + len(separator) + len(name) + reserve > room:
            return note + more if at else note
        note += separator + name
        separator = ", "
    return note


def without_notes(text: str) -> str:
    """Return a summary without what it says about itself."""
    return _NOTE.sub("", text)
