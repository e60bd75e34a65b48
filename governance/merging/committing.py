"""Making the merge commit of a plan whose conflicts are all decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from governance.merging.composing import Author, Composing
from governance.merging.decisions import decision_meta
from governance.merging.fidelity import merged_shown
from governance.merging.knowledge import Confirmed
from governance.merging.plan import MergePlan
from governance.merging.settlement import KeyMerge
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.metadata import meta, put_meta
from governance.snapshots.model import Commit, CommitMeta, EntryMeta, Stamp, Write

MERGE_KIND = "D3"


class Committing:
    """One merge commit: what is carried, what the merge wrote itself, whose values those are, and what is shown."""

    def __init__(self, graph: SnapshotGraph, plan: MergePlan, about: CommitMeta) -> None:
        self._graph, self._plan, self._about = graph, plan, about
        self._step = 1 + max(graph.get(parent).step for parent in plan.parents)
        self._first = plan.evidence.divergence.heads.index(plan.parents[0])
        self._composing = Composing(graph.values, plan.evidence, self._first)

    def commit(self, merges: Sequence[KeyMerge]) -> Commit:
        """Commit the plan's keys, with people's answers in place."""
        author = self._author(merges)
        carry = {key: seen.commit.writes[key] for key, seen in self._plan.plain.items()}
        writes: dict[str, Write] = {}
        won: dict[str, Stamp] = {}
        knowledge = self._confirmed({merge.key: merge for merge in merges})
        for merge in merges:
            if merge.key in knowledge:
                writes[merge.key] = knowledge[merge.key]
            elif merge.is_written:
                write = writes[merge.key] = self._composing.write(merge, author)
                won.update(self._composing.won(merge, write, author))
            elif self._composing.is_carried(merge):
                carry[merge.key] = self._composing.carry(merge)
        return self._graph.commit(
            self._plan.parents,
            writes=writes,
            carry=carry,
            shown=merged_shown(self._graph, self._plan.evidence, self._first, {**carry, **writes}),
            meta=self._about._replace(kind=MERGE_KIND, won=won, bases=self._plan.bases),
            lazily=True,
        )

    def _author(self, merges: Sequence[KeyMerge]) -> Author:
        """The merge as author of what people decided; its metadata is stored only if they decided anything."""
        by_person = any(one.by_person for merge in merges for one in merge.settlements)
        decided = decision_meta(self._about, self._step)
        own_meta = put_meta(self._graph.values, decided) if by_person else ""
        return Author(self._about.at, self._step, self._about.branch, own_meta)

    def _confirmed(self, merges: Mapping[str, KeyMerge]) -> dict[str, Write]:
        """KNOWLEDGE that several branches found: written with its new confidence, and the other copies removed."""
        writes: dict[str, Write] = {}
        for item in self._plan.confirmed:
            writes[item.key] = self._surer(merges[item.key], item)
            for key in item.dropped:
                writes[key] = Write(None, put_meta(self._graph.values, self._removal_meta))
        return writes

    def _surer(self, merge: KeyMerge, item: Confirmed) -> Write:
        values, latest = self._graph.values, merge.settlements[-1].latest
        known = meta(values, self._plan.evidence.meta_hash(merge.key, latest))
        value = {**self._composing.content(merge), "confidence": item.confidence}
        return Write(values.put(value), put_meta(values, known._replace(confidence=item.confidence)))

    @property
    def _removal_meta(self) -> EntryMeta:
        about = self._about
        return EntryMeta(activity=about.activity, branch=about.branch, created_at=about.at, step=self._step)
