"""Fences: how untrusted text stands in a prompt, so that nothing in it can end the fence or pass for an entry."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator

from governance.snapshots.canonical import digest

CONTINUED = "  "
"""How a line begins that goes on with the entry above it."""

_MARK_DIGITS = 12
_FENCE = re.compile(rf"^<(data-[0-9a-f]{{{_MARK_DIGITS}}})>\n(.*?)\n</\1>$", re.MULTILINE | re.DOTALL)


def fenced(entries: Iterable[str], hashed: Callable[[bytes], str] = digest) -> str:
    """The entries between a line that opens and a line that closes, both with a code that no entry holds.

    The code is derived from the entries by `hashed`: the same entries give the same bytes.
    """
    lines = list(map(_as_entry, entries))
    return _between(mark_for("\n".join(lines), lines, hashed), lines)


def fenced_by(mark: str, entries: Iterable[str]) -> str:
    """The entries between lines with this mark, which none of them holds: one of `mark_for`."""
    return _between(mark, map(_as_entry, entries))


def mark_for(seed: str, entries: Collection[str], hashed: Callable[[bytes], str] = digest) -> str:
    """What opens and closes fences around these entries: derived from `seed`, and held by none of them.

    A seed that stays the same gives the same mark, so that what stands behind such a fence is the same text from one
    prompt to the next. Whoever knows the seed can have another mark taken, but never close a fence: a mark that is
    held by an entry is hashed again until it is not.
    """
    while True:
        mark = f"data-{hashed(seed.encode('utf-8', 'surrogatepass'))[:_MARK_DIGITS]}"
        if not any(mark in entry for entry in entries):
            return mark
        seed += mark


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



def _between(mark: str, lines: Iterable[str]) -> str:
    return "\n".join([f"<{mark}>", *lines, f"</{mark}>"])
