"""Which writes a reducer folds: each one since the base once, however often branches were merged in between."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from governance.merging.paths import DELETED, covers, value_at
from governance.merging.reducers import ADDITIVE, Step, add_up, fold
from governance.merging.survivors import own_stamp, place_of, written_paths
from governance.merging.walk import Divergence, diverge
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Commit
from governance.vocabulary import MergeStrategy


class Folding:
    """Folds the writes of a divergence.

    A merge that folded the key is seen through: the writes that it folded count, even those that all heads have seen.
    A merge where somebody's value was chosen counts as one write, instead of all that it had seen.
    """

    def __init__(self, graph: SnapshotGraph, divergence: Divergence) -> None:
        self._graph, self._divergence = graph, divergence

    def value(self, strategy: MergeStrategy, key: str, path: str) -> Any:
        """The reducer's outcome at a place. Raises CannotFold."""
        divergence = self._down_to_one_base(key)
        counted = [commit for commit, _ in divergence.commits if _counts(commit, key, path)]
        counted.sort(key=lambda commit: own_stamp(commit, key).order())
        if strategy in ADDITIVE:
            return self._added_up(strategy, divergence, counted, key, path)
        overwritten = _below(divergence, {commit.id for commit in counted})
        standing = [commit for commit in counted if commit.id not in overwritten]
        return fold(strategy, [self._view(commit.writes[key].value, path) for commit in standing])

    def _added_up(
        self, strategy: MergeStrategy, divergence: Divergence, counted: list[Commit], key: str, path: str
    ) -> Any:
        chosen = {commit.id for commit in counted if len(commit.parents) > 1}
        replaced = _below(divergence, chosen)
        seen_values = self._seen_values(divergence, key)
        base = self._view(self._standing(divergence.bases[0], key), path) if divergence.bases else DELETED
        steps = []
        for commit in counted:
            if commit.id not in replaced:
                before = base if commit.id in chosen else self._view(seen_values[commit.id], path)
                steps.append(Step(before, self._view(commit.writes[key].value, path)))
        return add_up(strategy, base, steps)

    def _down_to_one_base(self, key: str) -> Divergence:
        """The divergence with all that merges of the key folded, and with a single base."""
        divergence = self._divergence
        while lower := self._lower_bases(divergence, key):
            divergence = diverge(self._graph.get, (*divergence.heads, *sorted(lower)))
        return divergence

    def _lower_bases(self, divergence: Divergence, key: str) -> set[str]:
        """Commits below the bases, from which merges of the key started, or below which several bases come together."""
        if len(divergence.bases) > 1:
            return set(diverge(self._graph.get, divergence.bases).bases)
        inside = {commit.id for commit, _ in divergence.commits}.union(divergence.bases)
        merges = (commit for commit, _ in divergence.commits if len(commit.parents) > 1 and key in commit.writes)
        return {base for commit in merges for base in commit.meta.bases if base not in inside}

    def _seen_values(self, divergence: Divergence, key: str) -> Mapping[str, str | None]:
        """For each commit since the base, the hash of what its first parent held under the key."""
        seen: dict[str, str | None] = {}
        standing: dict[str, str | None] = {}
        for commit, _ in reversed(divergence.commits):
            parent = commit.parents[0] if commit.parents else None
            if parent is not None and parent not in standing:
                standing[parent] = self._standing(parent, key)
            before = standing[parent] if parent is not None else None
            write = commit.writes.get(key) or commit.carry.get(key)
            seen[commit.id], standing[commit.id] = before, write.value if write else before
        return seen

    def _standing(self, snapshot: str, key: str) -> str | None:
        item = self._graph.contents(snapshot).item(key)
        return None if item is None else item.value

    def _view(self, value_hash: str | None, path: str) -> Any:
        return DELETED if value_hash is None else value_at(self._graph.values.get(value_hash), path)


def _counts(commit: Commit, key: str, path: str) -> bool:
    """Whether the commit wrote the place; a merge did only if it chose what stands there, for a fold has no winner."""
    write = commit.writes.get(key)
    if write is None:
        return False
    if len(commit.parents) > 1:
        chosen = (place for place in written_paths(write) if place_of(key, place) in commit.meta.won)
        return any(covers(place, path) for place in chosen)
    return any(covers(path, place) or covers(place, path) for place in written_paths(write))


def _below(divergence: Divergence, commits: set[str]) -> set[str]:
    """What one of `commits` had seen."""
    below: set[str] = set()
    if commits:
        for commit, _ in divergence.commits:
            if commit.id in commits or commit.id in below:
                below.update(commit.parents)
    return below
