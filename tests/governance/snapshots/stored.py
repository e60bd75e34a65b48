"""A snapshot source in memory: what a store would hold after draining, read back as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from governance.snapshots.commits import dump_commit, load_commit
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Commit
from governance.snapshots.values import ValueStore


class Stored:
    """Drained commits, values and checkpoints as bytes; counts what is read."""

    def __init__(self) -> None:
        self.rows: dict[str, bytes] = {}
        self.blobs: dict[str, bytes] = {}
        self.checkpoints: dict[str, bytes] = {}
        self.values_read: list[str] = []

    def take(self, graph: SnapshotGraph) -> list[Commit]:
        """Store what the graph has made since the last time."""
        drained = graph.drain()
        self.rows.update({commit.id: dump_commit(commit) for commit in drained})
        self.blobs.update(graph.values.drain())
        return drained

    def checkpoint_of(self, graph: SnapshotGraph, snapshot: str) -> None:
        self.checkpoints[snapshot] = orjson.dumps(graph.contents(snapshot).dump())

    def reopen(self) -> SnapshotGraph:
        """A graph of a new session on what was stored."""
        return SnapshotGraph(ValueStore(self._read), self)

    def commits(self, snapshot: str) -> Iterable[Commit]:
        return [load_commit(orjson.loads(self.rows[snapshot]))] if snapshot in self.rows else []

    def checkpoint(self, snapshot: str) -> Mapping[str, Any] | None:
        found = self.checkpoints.get(snapshot)
        return None if found is None else orjson.loads(found)

    def _read(self, value_hash: str) -> bytes:
        self.values_read.append(value_hash)
        return self.blobs[value_hash]
