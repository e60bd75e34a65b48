"""How a merge's write shows that a person decided it: it has metadata of its own, where a rule's has its winner's."""

from __future__ import annotations

from governance.snapshots.metadata import meta
from governance.snapshots.model import Commit, CommitMeta, EntryMeta
from governance.snapshots.values import ValueStore
from governance.vocabulary import Producer


def decision_meta(about: CommitMeta, step: int) -> EntryMeta:
    """The metadata of what a person decided in the merge commit that is described; people are sure."""
    return EntryMeta(
        activity=about.activity, branch=about.branch, producer=Producer.HUMAN, created_at=about.at, step=step
    )


def is_decision(values: ValueStore, commit: Commit, key: str) -> bool:
    """Whether the commit is a merge that wrote the key as a person decided."""
    if len(commit.parents) < 2:
        return False
    return meta(values, commit.writes[key].meta) == decision_meta(commit.meta, commit.step)
