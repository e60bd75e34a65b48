"""Which keys the branches that still have to merge have written: attention's fifth dimension, kept as it changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


class OpenWrites:
    """Per key, how many branches hold which value. Derived: rebuilt from the snapshots after a restart."""

    def __init__(self) -> None:
        self._by_branch: dict[str, dict[str, str | None]] = {}
        self._by_key: dict[str, Counter[str | None]] = {}
        self.conflicting = 0

    @property
    def written(self) -> int:
        return len(self._by_key)

    def add(self, branch: str, writes: Iterable[tuple[str, str | None]]) -> None:
        """A branch wrote these (key, value hash); the main branch has nothing to merge with."""
        if not branch:
            return
        held = self._by_branch.setdefault(branch, {})
        for key, value in writes:
            if key in held:
                self._take(key, held[key])
            held[key] = value
            self._put(key, value)

    def joined(self, branches: Iterable[str], into: str, writes: Iterable[tuple[str, str | None]]) -> None:
        """Branches became one: what they wrote is now `into`'s, as the merge settled it."""
        for branch in branches:
            if branch != into:
                for key, value in self._by_branch.pop(branch, {}).items():
                    self._take(key, value)
        self.add(into, writes)

    def held_by(self, branch: str) -> dict[str, str | None]:
        return self._by_branch.get(branch, {})

    def _put(self, key: str, value: str | None) -> None:
        counts = self._by_key.setdefault(key, Counter())
        before = len(counts)
        counts[value] += 1
        self.conflicting += (len(counts) > 1) - (before > 1)

    def _take(self, key: str, value: str | None) -> None:
        counts = self._by_key[key]
        before = len(counts)
        counts[value] -= 1
        if not counts[value]:
            del counts[value]
        self.conflicting += (len(counts) > 1) - (before > 1)
        if not counts:
            del self._by_key[key]
