"""What is known of the branches' writes: by whom, how sure, and what stood before."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

from governance.merging.decisions import is_decision
from governance.merging.head_items import HeadItems
from governance.merging.originals import Originals
from governance.merging.paths import DELETED, value_at
from governance.merging.reducers import ADDITIVE, add_up, fold
from governance.merging.regions import Region
from governance.merging.survivors import Survivor, own_stamp, place_of, survivors, writers, written_paths
from governance.merging.walk import Divergence, Seen
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.metadata import meta
from governance.snapshots.model import EntryMeta, Item, Stamp, Write
from governance.vocabulary import Layer, MergeStrategy

COMPARED: Final = (f"{Layer.SYSTEM}/", f"{Layer.KNOWLEDGE}/")
"""Starts of keys that are compared between the heads even where one head has seen all writes."""


class Evidence:
    """Everything a decision may look at, read from the graph only when it is asked for."""

    def __init__(self, graph: SnapshotGraph, divergence: Divergence) -> None:
        self._graph, self.divergence = graph, divergence
        self._originals = Originals(graph, divergence)
        self._origins: dict[str, dict[Stamp, Seen]] = {}
        self._heads = HeadItems(graph, divergence)

    @cached_property
    def written(self) -> dict[str, list[Seen]]:
        """The commits that wrote each key, newest first."""
        return writers(self.divergence.commits)

    @cached_property
    def plain(self) -> dict[str, Seen]:
        """The commit that wrote a key, by key, where no other did, it wrote all of it, and the key is not compared.

        So it stands in every head that has seen the commit as the commit wrote it, and there is nothing to settle.
        """
        return {
            key: seen_by[0]
            for key, seen_by in self.written.items()
            if len(seen_by) == 1 and seen_by[0].commit.writes[key].paths is None and not key.startswith(COMPARED)
        }

    @cached_property
    def survivors(self) -> dict[str, list[Survivor]]:
        """What survives of every key that is not `plain`."""
        plain = self.plain
        others = {key: seen_by for key, seen_by in self.written.items() if key not in plain}
        return survivors(self.divergence.commits, others)

    def seen(self, key: str) -> int:
        """Mask of the heads that have seen a write of the key that stands; 0 if nobody wrote it."""
        plain = self.plain.get(key)
        if plain is not None:
            return plain.heads
        mask = 0
        for survivor in self.survivors.get(key, ()):
            mask |= survivor.heads
        return mask

    def view(self, survivor: Survivor, path: str) -> Any:
        return survivor.view(self._graph.values, path)

    def candidates(self, key: str, region: Region) -> list[Survivor]:
        """One member of the region per view, oldest stamp first: none that another's writer had seen, none twice."""
        distinct = {member.stamp: member for member in region.members}
        if region.is_flat:
            return list(distinct.values())
        origins = {stamp: self._origin(key, stamp) for stamp in distinct}
        outdated = self._seen_by_others({origin.commit.id for origin in origins.values() if origin is not None})
        return [
            member
            for stamp, member in distinct.items()
            if (origin := origins[stamp]) is None or origin.commit.id not in outdated
        ]

    def standing(self, key: str, path: str) -> list[Survivor]:
        """The original writes of a place that nobody overwrote, seen through what rules settled; oldest stamp first."""
        return self._originals.standing(key, path)

    def meta(self, key: str, survivor: Survivor) -> EntryMeta:
        return meta(self._graph.values, self.meta_hash(key, survivor))

    def meta_hash(self, key: str, survivor: Survivor) -> str:
        """Metadata of the write that the survivor stands for: the winner's, where a rule took over a value.

        The winner is looked for among the writes since the base; from further back, the merge's own write tells.
        """
        origin = self._origin(key, survivor.stamp)
        if origin is None or is_decision(self._graph.values, self._graph.get(survivor.commit), key):
            return survivor.write.meta
        return origin.commit.writes[key].meta

    def base(self, key: str, path: str) -> Any:
        """What stood at the place when the branches parted, DELETED if nothing did; the newest of several bases."""
        bases = self.divergence.bases
        item = self._graph.contents(bases[0]).item(key) if bases else None
        return DELETED if item is None else value_at(self._graph.values.get(item.value), path)

    def item(self, head: int, key: str) -> Item | None:
        """The entry as it stands in a head, which is given by its bit."""
        return self._heads.item(head, key)

    def folded(self, strategy: MergeStrategy, key: str, path: str) -> Any:
        """A reducer's outcome. Raises CannotFold."""
        if strategy in ADDITIVE:
            return add_up(strategy, *self._originals.steps(key, path))
        return fold(strategy, [self.view(write, path) for write in self.standing(key, path)])

    def added(self, key: str, survivor: Survivor, path: str) -> Stamp | None:
        """When the item at `path` came into its list, as the survivor has it; None: before the branches parted."""
        stamp: Stamp | None = survivor.stamp
        while stamp is not None and (origin := self._origin(key, stamp)) is not None:
            if self._adds(origin.commit.writes[key], path):
                return stamp
            stamp = self._latest_add(key, origin, path)
        return None

    def _latest_add(self, key: str, writer: Seen, path: str) -> Stamp | None:
        """Of the item that `writer` changed: by its own branch, or by another that a merge took it from."""
        for commit, heads in self.written[key]:
            is_seen = heads & writer.heads and commit.generation < writer.commit.generation
            if is_seen and self._adds(commit.writes[key], path):
                return commit.meta.won.get(place_of(key, path)) or own_stamp(commit, key)
        return None

    def _adds(self, write: Write, path: str) -> bool:
        is_there = path in written_paths(write) and write.value is not None
        return is_there and value_at(self._graph.values.get(write.value or ""), path) is not DELETED

    def _origin(self, key: str, stamp: Stamp) -> Seen | None:
        """The commit since the base that wrote the value under this stamp first."""
        origins = self._origins.get(key)
        if origins is None:
            origins = self._origins[key] = {own_stamp(seen.commit, key): seen for seen in self.written[key]}
        return origins.get(stamp)

    def _seen_by_others(self, commits: set[str]) -> set[str]:
        """Those of `commits` that another of them had seen."""
        below: set[str] = set()
        for commit, _ in self.divergence.commits:
            if commit.id in below or commit.id in commits:
                below.update(commit.parents)
        return commits & below
