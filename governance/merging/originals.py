"""What steps and people wrote, seen through what rules settled at merges in between.

Reducers and HIGHEST_CONFIDENCE go by these writes, so that they come to the same however branches are grouped: that a
rule once preferred one write to another does not make the other one unwritten. What a person decided at a merge is a
write like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from governance.merging.decisions import is_decision
from governance.merging.paths import DELETED, covers, value_at
from governance.merging.survivors import Survivor, own_stamp, place_of, written_paths
from governance.merging.walk import Divergence, diverge
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Commit


class Step(NamedTuple):
    """One write of a place: what its writer saw there, and what it left. DELETED where nothing stood."""

    before: Any
    after: Any


class Originals:
    """The original writes of a divergence."""

    def __init__(self, graph: SnapshotGraph, divergence: Divergence) -> None:
        self._graph, self._divergence = graph, divergence

    def standing(self, key: str, path: str) -> list[Survivor]:
        """The writes of a place that none overwrote which had seen them, in stamp order."""
        divergence = self._down_to_one_base(key)
        writes = self._writes(divergence, key, path)
        overwritten = _below(divergence, writes)
        standing = [self._survivor(commit, key, path) for commit in writes if commit.id not in overwritten]
        return sorted(standing, key=lambda one: one.stamp.order())

    def steps(self, key: str, path: str) -> tuple[Any, list[Step]]:
        """What stood at a place when the branches parted, and all writes of it since then, in stamp order.

        What a person decided is a step from the base, instead of all the steps that led there.
        """
        divergence = self._down_to_one_base(key)
        writes = self._writes(divergence, key, path)
        replaced = _below(divergence, [commit for commit in writes if len(commit.parents) > 1])
        seen_values = self._seen_values(divergence, key)
        base = self._view(self._standing_hash(divergence.bases[0], key), path) if divergence.bases else DELETED
        steps = []
        for commit in sorted(writes, key=lambda commit: own_stamp(commit, key).order()):
            if commit.id not in replaced:
                before = base if len(commit.parents) > 1 else self._view(seen_values[commit.id], path)
                steps.append(Step(before, self._view(commit.writes[key].value, path)))
        return base, steps

    def _down_to_one_base(self, key: str) -> Divergence:
        """The divergence with all writes that merges of the key settled, and with a single base."""
        divergence = self._divergence
        while further := self._further_bases(divergence, key):
            divergence = diverge(self._graph.get, (*divergence.heads, *sorted(further)))
        return divergence

    def _further_bases(self, divergence: Divergence, key: str) -> set[str]:
        """Where merges of the key started from, or several bases come together: what lies above counts too.

        Taken as heads, they move the base below them, if it is not there already.
        """
        if len(divergence.bases) > 1:
            return set(diverge(self._graph.get, divergence.bases).bases)
        merges = (commit for commit, _ in divergence.commits if len(commit.parents) > 1 and key in commit.writes)
        return {base for commit in merges for base in commit.meta.bases}.difference(divergence.heads)

    def _writes(self, divergence: Divergence, key: str, path: str) -> list[Commit]:
        """Commits that wrote the place, newest first: of merges, those where a person decided about it."""
        values = self._graph.values
        touching = (commit for commit, _ in divergence.commits if _touches(commit, key, path))
        return [commit for commit in touching if len(commit.parents) < 2 or is_decision(values, commit, key)]

    def _survivor(self, commit: Commit, key: str, path: str) -> Survivor:
        stamp = commit.meta.won.get(place_of(key, path)) or own_stamp(commit, key)
        heads = self._seen_by.get(commit.id, (1 << len(self._divergence.heads)) - 1)
        return Survivor(commit.id, commit.generation, path, commit.writes[key], stamp, heads)

    @cached_property
    def _seen_by(self) -> dict[str, int]:
        return {commit.id: heads for commit, heads in self._divergence.commits}

    def _seen_values(self, divergence: Divergence, key: str) -> Mapping[str, str | None]:
        """For each commit since the base, the hash of what its first parent held under the key."""
        seen: dict[str, str | None] = {}
        standing: dict[str, str | None] = {}
        for commit, _ in reversed(divergence.commits):
            parent = commit.parents[0] if commit.parents else None
            if parent is not None and parent not in standing:
                standing[parent] = self._standing_hash(parent, key)
            before = standing[parent] if parent is not None else None
            write = commit.writes.get(key) or commit.carry.get(key)
            seen[commit.id], standing[commit.id] = before, write.value if write else before
        return seen

    def _standing_hash(self, snapshot: str, key: str) -> str | None:
        item = self._graph.contents(snapshot).item(key)
        return None if item is None else item.value

    def _view(self, value_hash: str | None, path: str) -> Any:
        return DELETED if value_hash is None else value_at(self._graph.values.get(value_hash), path)


def _touches(commit: Commit, key: str, path: str) -> bool:
    write = commit.writes.get(key)
    return write is not None and any(covers(path, place) or covers(place, path) for place in written_paths(write))


def _below(divergence: Divergence, commits: Iterable[Commit]) -> set[str]:
    """What one of `commits` had seen."""
    above, below = {commit.id for commit in commits}, set[str]()
    if above:
        for commit, _ in divergence.commits:
            if commit.id in above or commit.id in below:
                below.update(commit.parents)
    return below
