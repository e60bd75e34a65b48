"""What came from outside, and what derives from it (Design: taint).

Taint is kept by content, not by place: a value keeps it through variables, branches, merges, called processes,
summaries and knowledge, whatever copies it there, for it is the same value. A list or an object is tainted by any text
in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from governance.snapshots.canonical import canonical, digest, spell
from governance.snapshots.values import ValueStore

_SHORTEST: Final = 8
"""Shorter texts say too little to be known again by themselves; the value that holds them is."""


class Taint:
    """The tainted contents of one instance, as hashes; `drain` and `drain_lifted` give what is to be stored."""

    def __init__(self, values: ValueStore, known: Iterable[str] = ()) -> None:
        self._values = values
        self._known = set(known)
        self._new: dict[str, None] = {}
        self._lifted: dict[str, None] = {}

    def __bool__(self) -> bool:
        return bool(self._known)

    def add(self, value: Any) -> None:
        """Taint a value and every text in it. Raises NotJson."""
        for content in _contents(value):
            if content not in self._known:
                self._known.add(content)
                self._new[content] = None
                self._lifted.pop(content, None)

    def hold(self, value_hash: str) -> None:
        """Taint a stored value as it is, and no text in it: it was put together of several, and stands for itself."""
        if value_hash not in self._known:
            self._known.add(value_hash)
            self._new[value_hash] = None
            self._lifted.pop(value_hash, None)

    def lift(self, value: Any) -> None:
        """Take a value and every text in it for clean, wherever they stand; what derives from them stays tainted."""
        for content in _contents(value):
            if content in self._known:
                self._known.discard(content)
                self._new.pop(content, None)
                self._lifted[content] = None

    def holds(self, value_hash: str) -> bool:
        """Whether a stored value is tainted, or holds a text that is."""
        if not self._known:
            return False
        return value_hash in self._known or not self._known.isdisjoint(self._contents(value_hash))

    def of(self, value: Any) -> bool:
        """The same of a value that need not be stored."""
        if not self._known:
            return False
        return not self._known.isdisjoint(_contents(value))

    def drain(self) -> list[str]:
        drained, self._new = list(self._new), {}
        return drained

    def drain_lifted(self) -> list[str]:
        drained, self._lifted = list(self._lifted), {}
        return drained

    def _contents(self, value_hash: str) -> frozenset[str]:
        """Hashes of the texts in a value, made once per value."""
        made = self._values.derived("texts")
        found: frozenset[str] | None = made.get(value_hash)
        if found is None:
            texts = _texts(self._values.get(value_hash))
            found = made[value_hash] = frozenset(digest(canonical(text)) for text in texts)
        return found


def _contents(value: Any) -> Iterator[str]:
    """Hashes of a value and of every text in it. Raises NotJson."""
    yield digest(canonical(value))
    for text in _texts(value):
        yield digest(canonical(text))


def unknown_parts(value: Any, sources: str) -> list[str]:
    """Which parts of `value` do not stand in `sources`, as paths: they came from somewhere else.

    True, false and null say nothing; a number or a short text must stand there as a word of its own.
    """
    return [path for path, leaf in _leaves(value, "") if not _stands_in(leaf, sources)]


def _stands_in(leaf: Any, sources: str) -> bool:
    if leaf is None or isinstance(leaf, bool) or leaf == "":
        return True
    text = " ".join(str(leaf).casefold().split()) if isinstance(leaf, str) else spell(leaf).decode()
    return re.search(rf"(?<!\w){re.escape(text)}(?!\w)", sources) is not None


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _leaves(part, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from _leaves(part, f"{path}[{number}]")
    else:
        yield path, value


def _texts(value: Any) -> Iterator[str]:
    for _, leaf in _leaves(value, ""):
        if isinstance(leaf, str) and len(leaf) >= _SHORTEST:
            yield leaf
