"""What merging should find, by brute force over whole sets of ancestors. Knows nothing of how it is done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from governance.merging.paths import DELETED
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Commit

Place = tuple[str, str, str]
"""A commit, a key and a path; the empty path is the whole value."""


class Oracle:
    """Answers about the merge of some heads of a graph."""

    def __init__(self, graph: SnapshotGraph, heads: Iterable[str]) -> None:
        self._graph = graph
        self.ancestors = cache(self._ancestors)
        seen = [self.ancestors(head) for head in set(heads)]
        self.all = frozenset().union(*seen)
        self.common = seen[0].intersection(*seen)

    def bases(self) -> set[str]:
        """The common commits that no other common commit has seen."""
        return {one for one in self.common if not any(self._saw(other, one) for other in self.common)}

    def survivors(self) -> set[Place]:
        """Writes that not all heads have seen, and that no later write covers which had seen them."""
        written = [place for snapshot in self.all - self.common for place in self._places(snapshot)]
        return {place for place in written if not any(self._overwrites(other, place) for other in written)}

    def unseen_overlaps(self) -> set[str]:
        """Keys with surviving writes that overlap, and of which neither had seen the other."""
        found = self.survivors()
        return {
            key
            for snapshot, key, path in found
            for other, other_key, other_path in found
            if key == other_key and (_covers(path, other_path) or _covers(other_path, path))
            if snapshot != other and not self._saw(snapshot, other) and not self._saw(other, snapshot)
        }

    def increments(self, key: str) -> int:
        """Sum of what each step added to a number over what it saw; a merge adds nothing."""
        steps = (commit for commit in self._commits() if len(commit.parents) < 2 and key in commit.writes)
        return sum(self._value(commit, key) - (self._before(commit, key) or 0) for commit in steps)

    def appended(self, key: str) -> list[Any]:
        """Everything that steps added to the end of a list."""
        steps = (commit for commit in self._commits() if len(commit.parents) < 2 and key in commit.writes)
        return [item for step in steps for item in self._value(step, key)[len(self._before(step, key) or []) :]]

    def standing(self, key: str) -> list[Any]:
        """Values of steps that no later step overwrote which had seen them; merges are no steps."""
        steps = [commit for commit in self._commits() if len(commit.parents) < 2 and key in commit.writes]
        return [self._value(step, key) for step in steps if not any(self._saw(other.id, step.id) for other in steps)]

    def _ancestors(self, snapshot: str) -> frozenset[str]:
        """The snapshot and all that it has seen."""
        found, waiting = set(), [snapshot]
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting += self._graph.get(one).parents
        return frozenset(found)

    def _saw(self, later: str, earlier: str) -> bool:
        return later != earlier and earlier in self.ancestors(later)

    def _places(self, snapshot: str) -> Iterator[Place]:
        for key, write in self._graph.get(snapshot).writes.items():
            for path in ("",) if write.paths is None else write.paths:
                yield snapshot, key, path

    def _overwrites(self, later: Place, earlier: Place) -> bool:
        same_key, covering = later[1] == earlier[1], _covers(later[2], earlier[2])
        return same_key and covering and self._saw(later[0], earlier[0])

    def _commits(self) -> list[Commit]:
        return [self._graph.get(snapshot) for snapshot in self.all]

    def _value(self, commit: Commit, key: str) -> Any:
        value = commit.writes[key].value
        return DELETED if value is None else self._graph.values.get(value)

    def _before(self, commit: Commit, key: str) -> Any:
        item = self._graph.contents(commit.parents[0]).item(key) if commit.parents else None
        return None if item is None else self._graph.values.get(item.value)


def _covers(path: str, other: str) -> bool:
    return path == other or path == "" or other.startswith(f"{path}/")
