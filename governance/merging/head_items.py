"""Entries as they stand in the heads of a merge, without building the contents of every head."""

from __future__ import annotations

from governance.merging.walk import Divergence
from governance.snapshots.contents import Contents
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.lookup import Changed, Entries
from governance.snapshots.model import Commit, Item


class HeadItems:
    """Looks entries up in heads. Cost per head: the commits on its line of first parents since the branches parted."""

    def __init__(self, graph: SnapshotGraph, divergence: Divergence) -> None:
        self._graph, self._heads = graph, divergence.heads
        self._apart = {commit.id for commit, _ in divergence.commits}
        self._entries: dict[int, Entries] = {}
        self._below: dict[str, Contents] = {}

    def item(self, head: int, key: str) -> Item | None:
        """The entry in a head, which is given by its bit."""
        entries = self._entries.get(head)
        if entries is None:
            entries = self._entries[head] = self._look(self._heads[head])
        return entries.item(key)

    def _look(self, head: str) -> Entries:
        line: list[Commit] = []
        place: str | None = head
        while place is not None and place in self._apart:
            at_hand = self._graph.at_hand(place)
            if at_hand is not None:
                return Changed(reversed(line), at_hand) if line else at_hand
            line.append(self._graph.get(place))
            place = line[-1].parents[0] if line[-1].parents else None
        return Changed(reversed(line), Contents() if place is None else self._shared(place))

    def _shared(self, snapshot: str) -> Contents:
        """What stands below, where all heads are the same or several grew from."""
        found = self._below.get(snapshot)
        if found is None:
            found = self._below[snapshot] = self._graph.contents(snapshot)
        return found
