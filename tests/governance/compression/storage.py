"""Where a graph is saved, and a fresh graph from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Commit
from governance.snapshots.values import ValueStore


class Storage:
    """Commits and values that were drained; a source for the next graph."""

    def __init__(self) -> None:
        self._commits: dict[str, Commit] = {}
        self._values: dict[str, bytes] = {}

    def commits(self, snapshot: str) -> Iterable[Commit]:
        return [self._commits[snapshot]] if snapshot in self._commits else []

    def checkpoint(self, snapshot: str) -> Mapping[str, Any] | None:
        return None

    def reload(self, graph: SnapshotGraph) -> SnapshotGraph:
        """Save what is new in `graph`; a graph that has nothing in memory."""
        self._commits.update((commit.id, commit) for commit in graph.drain())
        self._values.update(graph.values.drain())
        return SnapshotGraph(ValueStore(load=self._values.__getitem__), self)
