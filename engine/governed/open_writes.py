"""Which keys the branches that still have to merge have written: attention's fifth dimension, kept as it changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.governed.token import Token
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Commit
from governance.vocabulary import Layer


def working_writes(commit: Commit) -> list[tuple[str, str | None]]:
    """(key, value hash) of what a commit wrote to variables."""
    return [(key, write.value) for key, write in commit.writes.items() if key.startswith(Layer.WORKING.value)]


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

    def rebuild(self, graph: SnapshotGraph, tokens: Iterable[Token]) -> None:
        """Find again, after a restart, what the branches of these tokens wrote since they split off."""
        for token in tokens:
            if token.branch and token.branch not in self._by_branch:
                held: dict[str, str | None] = {}
                snapshot: str | None = token.head
                while snapshot is not None:
                    commit = graph.get(snapshot)
                    if not commit.meta.branch.startswith(token.branch):
                        break
                    for key, value in working_writes(commit):
                        held.setdefault(key, value)
                    snapshot = commit.parents[0] if commit.parents else None
                self.add(token.branch, held.items())

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
