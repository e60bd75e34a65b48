"""Making the plan of a merge."""

from __future__ import annotations

from collections.abc import Sequence

from governance.merging.composing import Composing
from governance.merging.conflicts import Conflict, ConflictValue, Status
from governance.merging.evidence import COMPARED, Evidence
from governance.merging.knowledge import Confirmed, Similarity, confirmed
from governance.merging.paths import DELETED, WHOLE
from governance.merging.plan import MergePlan
from governance.merging.regions import Region, regions
from governance.merging.rules import Head, MergeRules
from governance.merging.settlement import KeyMerge, Outcome, Settlement
from governance.merging.settling import settle
from governance.merging.survivors import Survivor, place_of
from governance.merging.walk import diverge
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.metadata import meta
from governance.snapshots.model import branch_order, layer_of
from governance.vocabulary import Layer


class Planning:
    """One merge, from its heads to its plan."""

    def __init__(self, graph: SnapshotGraph, heads: Sequence[Head], rules: MergeRules, similarity: Similarity) -> None:
        self._graph, self._rules, self._similarity = graph, rules, similarity
        self._heads = sorted(heads, key=lambda head: (branch_order(head.branch), head.snapshot))
        snapshots = list(dict.fromkeys(head.snapshot for head in self._heads))
        self._divergence = diverge(graph.get, snapshots)
        self._evidence = Evidence(graph, self._divergence)
        # On top of the longest branch there is least to carry over.
        generations = [graph.get(snapshot).generation for snapshot in snapshots]
        self._first = generations.index(max(generations))
        self._composing = Composing(graph.values, self._evidence, self._first)

    def plan(self) -> MergePlan:
        found = self._evidence.survivors
        merges = tuple(self._merge_key(key) for key in sorted(found) if not self._stands(key, found[key]))
        surer = self._confirmed(merges)
        settlements = [(merge.key, one) for merge in merges for one in merge.settlements]
        decided = bool(surer) or any(merge.is_written for merge in merges)
        plain = {key: seen for key, seen in self._evidence.plain.items() if not seen.heads >> self._first & 1}
        carried = [merge.key for merge in merges if self._composing.is_carried(merge)]
        snapshots, bases, live = self._divergence.heads, self._divergence.bases, self._divergence.live
        first = snapshots[self._first]
        return MergePlan(
            heads=tuple(self._heads),
            parents=(first, *(snapshot for snapshot in snapshots if snapshot != first)),
            bases=bases,
            fast_forward=first if live == 1 << self._first and not decided else None,
            carried=tuple(sorted([*plain, *carried])),
            agreed=tuple(place_of(key, one.region.path) for key, one in settlements if one.outcome is Outcome.AGREED),
            conflicts=tuple(conflict for merge in merges for conflict in merge.conflicts),
            confirmed=tuple(surer),
            visited=self._divergence.visited,
            merges=merges,
            plain=plain,
            evidence=self._evidence,
        )

    def _stands(self, key: str, found: Sequence[Survivor]) -> bool:
        """Whether the first parent has seen all that counts, so that there is nothing to do: the quick way for most."""
        bit = 1 << self._first
        return all(survivor.heads & bit for survivor in found) and not key.startswith(COMPARED)

    def _merge_key(self, key: str) -> KeyMerge:
        found = self._evidence.survivors[key]
        if layer_of(key) is Layer.SYSTEM and not self._is_the_same_everywhere(key):
            members = tuple(sorted(found, key=lambda one: one.stamp.order()))
            region = Region(WHOLE, members, True)
            return KeyMerge(key, (Settlement(region, Outcome.UNDECIDED, conflict=self._system_differs(key)),))
        return KeyMerge.of(key, [settle(key, region, self._rules, self._evidence) for region in regions(found)])

    def _is_the_same_everywhere(self, key: str) -> bool:
        items = (self._evidence.item(bit, key) for bit in range(len(self._divergence.heads)))
        return len({item and item.value for item in items}) == 1

    def _system_differs(self, key: str) -> Conflict:
        values = tuple(self._system_value(head, key) for head in self._heads)
        reason = "SYSTEM must be identical in all branches"
        return Conflict(key, None, self._evidence.base(key, WHOLE), values, None, Status.DENIED, reason)

    def _system_value(self, head: Head, key: str) -> ConflictValue:
        item = self._evidence.item(self._divergence.heads.index(head.snapshot), key)
        if item is None:
            return ConflictValue(head.branch, DELETED, "", 1.0, "")
        known = meta(self._graph.values, item.meta)
        value = self._graph.values.get(item.value)
        return ConflictValue(head.branch, value, known.created_at, known.confidence, known.activity)

    def _confirmed(self, merges: Sequence[KeyMerge]) -> list[Confirmed]:
        found = {
            merge.key: (self._composing.content(merge), self._evidence.survivors[merge.key])
            for merge in merges
            if layer_of(merge.key) is Layer.KNOWLEDGE
        }
        return confirmed(found, self._evidence, self._similarity)
