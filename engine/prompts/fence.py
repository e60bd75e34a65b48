"""Fences: how untrusted text stands in a prompt, so that nothing in it can end the fence or pass for an entry."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from governance.snapshots.canonical import digest

CONTINUED = "  "
"""How a line begins that goes on with the entry above it."""

_MARK_DIGITS = 12
_FENCE = re.compile(rf"^<(data-[0-9a-f]{{{_MARK_DIGITS}}})>\n(.*?)\n</\1>$", re.MULTILINE | re.DOTALL)


def fenced(entries: Iterable[str], hashed: Callable[[bytes], str] = digest) -> str:
    """The entries between a line that opens and a line that closes, both with a code that no entry holds.

    The code is derived from the entries by `hashed`: the same entries give the same bytes.
    """
    text = "\n".join(map(_as_entry, entries))
    mark = _mark(text, hashed)
    return f"<{mark}>\n{text}\n</{mark}>"


def fences(prompt: str) -> Iterator[tuple[list[str], int]]:
    """The entries of each fence in a prompt, and where the fence ends in it."""
    for match in _FENCE.finditer(prompt):
        yield _entries(match.group(2)), match.end()


def _as_entry(entry: str) -> str:
    """The entry, its further lines marked as such; whatever a reader might take for a line break counts as one."""
    first, *further = entry.splitlines() or [""]
    return "\n".join([first.lstrip(" "), *(CONTINUED + line for line in further)])


def _entries(text: str) -> list[str]:
    entries: list[str] = []
    for line in text.split("\n"):
        if line.startswith(CONTINUED) and entries:
            entries[-1] += "\n" + line.removeprefix(CONTINUED)
        else:
            entries.append(line)
    return entries


def _mark(text: str, hashed: Callable[[bytes], str]) -> str:
    """A code that does not stand in `text`: hashed again, with what was found, until it does not."""
    seed = text
    while True:
        mark = f"data-{hashed(seed.encode('utf-8', 'surrogatepass'))[:_MARK_DIGITS]}"
        if mark not in text:
            return mark
        seed += mark
