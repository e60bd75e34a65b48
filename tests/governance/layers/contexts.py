"""Small contexts for the tests of layers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from governance.layers.manager import ContextLayerManager
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.metadata import meta
from governance.snapshots.model import EntryMeta, Item
from governance.snapshots.values import ValueStore
from governance.vocabulary import Layer, Producer

START = "2026-03-01T10:00:00.000000Z"
LATER = "2026-03-01T10:05:00.000000Z"


class FirstWords:
    """A summariser that shows the start of the value and counts how often it is asked."""

    def __init__(self) -> None:
        self.calls = 0

    def summarise(self, value: Any, *, query: str, limit: int) -> str:
        self.calls += 1
        return str(value)[:limit]


def a_graph() -> SnapshotGraph:
    return SnapshotGraph(ValueStore())


def started(graph: SnapshotGraph, entries: Mapping[Layer, Mapping[str, Any]], branch: str = "") -> ContextLayerManager:
    """A manager after start, with `entries` by layer and name."""
    manager = ContextLayerManager(graph, branch=branch)
    for layer, values in entries.items():
        for name, value in values.items():
            manager.write(layer, name, value, producer=Producer.DESIGNER)
    manager.commit("start", "", START)
    return manager


def item_at(graph: SnapshotGraph, head: str, key: str) -> Item:
    item = graph.contents(head).item(key)
    assert item is not None, f"nothing at {key}"
    return item


def meta_at(graph: SnapshotGraph, head: str, key: str) -> EntryMeta:
    return meta(graph.values, item_at(graph, head, key).meta)
