"""Which keys the branches that still have to merge have written: attention's fifth dimension, kept as it changes."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from engine.governed.branches import splits_of
from engine.governed.token import Token
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.lookup import Entries
from governance.snapshots.model import Commit
from governance.vocabulary import Layer

_WORKING: Final = Layer.WORKING.value
_NO_STEP_OF_A_BRANCH = frozenset({"call", "restore"})
"""Kinds of commits that put values where they are without anybody having written them."""


def working_writes(commit: Commit) -> list[tuple[str, str | None]]:
    """(key, value hash) of what a commit wrote to variables."""
    return [(key, write.value) for key, write in commit.writes.items() if key.startswith(_WORKING)]


class OpenWrites:
    """Per key, how many branches hold which value.

    A branch holds what was written since it split off, by itself and by branches that have come back to it. Derived:
    rebuilt from the snapshots after a restart.
    """

    def __init__(self) -> None:
        self._by_branch: dict[str, dict[str, str | None]] = {}
        self._by_key: dict[str, Counter[str | None]] = {}
        self.conflicting = 0

    @property
    def written(self) -> int:
        return len(self._by_key)

    def by_key(self) -> dict[str, dict[str, str | None]]:
        """Per key what each branch holds (a value hash, None: deleted) that no branch inside it has overwritten."""
        found: dict[str, dict[str, str | None]] = {}
        for branch in sorted(self._by_branch, key=lambda each: (-each.count("/"), each)):
            for key, value in self._by_branch[branch].items():
                holders = found.setdefault(key, {})
                if not any(inner.startswith(f"{branch}/") for inner in holders):
                    holders[branch] = value
        return found

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

    def joined(self, branches: Iterable[str], into: str, merged: Entries) -> None:
        """Branches became one: what they wrote is now `into`'s, as it stands in the merged contents."""
        keys: set[str] = set()
        for branch in branches:
            keys.update(self._by_branch.get(branch, ()))
            if branch != into:
                self._drop(branch)
        items = ((key, merged.item(key)) for key in sorted(keys))
        self.add(into, [(key, None if item is None else item.value) for key, item in items])

    def closed(self, branch: str, keys: Iterable[str]) -> None:
        """The variables of a called process are gone with it."""
        held = self._by_branch.get(branch, {})
        for key in keys:
            if key in held:
                self._take(key, held.pop(key))

    def lost(self, graph: SnapshotGraph, stays: Token, gone: Iterable[Token]) -> None:
        """Tokens were cancelled, and their branches with them; that of the one that stays goes on from its head."""
        around = {branch for branch, _ in splits_of(stays.branch)}
        for token in gone:
            for branch, _ in splits_of(token.branch):
                if branch not in around:
                    self._drop(branch)
        self._drop(stays.branch)
        self.rebuild(graph, [stays])

    def ended(self, branches: Iterable[str]) -> None:
        """These branches ended without coming together with any other."""
        for branch in branches:
            self._drop(branch)

    def cancelled(self, split: str, stay: Collection[str]) -> None:
        """Of the branches whose names begin with `split`, all but these were cancelled."""
        for branch in [branch for branch in self._by_branch if branch.startswith(split)]:
            if branch not in stay:
                self._drop(branch)

    def rebuild(self, graph: SnapshotGraph, tokens: Iterable[Token]) -> None:
        """Find again, after a restart, what the branches of these tokens and those around them wrote."""
        tops: dict[str, tuple[int, str]] = {}
        for token in tokens:
            top = graph.get(token.head).generation
            for branch, split in splits_of(token.branch):
                if branch not in tops or tops[branch][0] < top:
                    tops[branch] = top, token.head
                top = split
        for branch, (top, head) in tops.items():
            if branch not in self._by_branch:
                _, split = next(splits_of(branch))
                self.add(branch, _held(commit for commit in _back(graph, head, split) if commit.generation <= top))

    def _drop(self, branch: str) -> None:
        for key, value in self._by_branch.pop(branch, {}).items():
            self._take(key, value)

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


def _back(graph: SnapshotGraph, head: str, generation: int) -> Iterator[Commit]:
    """The head and its ancestors after a generation, newest first."""
    seen, heap = {head}, [(-graph.get(head).generation, head)]
    while heap:
        below, snapshot = heapq.heappop(heap)
        if -below <= generation:
            return
        commit = graph.get(snapshot)
        yield commit
        for parent in commit.parents:
            if parent not in seen:
                seen.add(parent)
                heapq.heappush(heap, (-graph.get(parent).generation, parent))


def _held(commits: Iterable[Commit]) -> list[tuple[str, str | None]]:
    """What is held after these commits, newest first, without the variables of processes whose call is over."""
    held: dict[str, str | None] = {}
    closed: set[str] = set()
    for commit in commits:
        if commit.meta.kind in _NO_STEP_OF_A_BRANCH:
            continue
        for key, write in (*commit.writes.items(), *commit.carry.items()):
            if commit.meta.kind == "return" and write.value is None:
                closed.add(key)
            elif key.startswith(_WORKING):
                held.setdefault(key, write.value)
    return [(key, value) for key, value in held.items() if key not in closed]
