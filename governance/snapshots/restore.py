"""The way back: what a commit on one snapshot must write so that another's entries stand again.

Contents follow first parents, so two contents differ at most in the keys that the commits on the two lines of first
parents touch, down to where the lines meet. The cost is that of these commits, however many entries stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from governance.snapshots.contents import Contents
from governance.snapshots.model import Commit, Item, Shown, Write
from governance.vocabulary import Fidelity

if TYPE_CHECKING:
    from governance.snapshots.graph import SnapshotGraph


def touched_keys(graph: SnapshotGraph, head: str, snapshot: str) -> list[str]:
    """Keys in which the two snapshots can differ, sorted."""
    keys: set[str] = set()
    for commit in _apart(graph, head, snapshot):
        keys.update(commit.writes, commit.carry, commit.shown)
    return sorted(keys)


def way_back(
    now: Contents, then: Contents, keys: list[str], deletion_meta: str
) -> tuple[dict[str, Write], dict[str, Shown | None]]:
    """Writes and shown that turn `now` into `then`, which differ in `keys` at most."""
    writes: dict[str, Write] = {}
    shown: dict[str, Shown | None] = {}
    for key in keys:
        here, there = now.item(key), then.item(key)
        if here == there:
            continue
        if there is None:
            writes[key] = Write(None, deletion_meta)
            continue
        if here is None or (here.value, here.meta) != (there.value, there.meta):
            writes[key] = Write(there.value, there.meta)
            if there.fidelity is not Fidelity.FULL:
                shown[key] = Shown(there.fidelity, there.text)
        else:
            shown[key] = _shown_of(there)
    return writes, shown


def _shown_of(item: Item) -> Shown | None:
    return None if item.fidelity is Fidelity.FULL else Shown(item.fidelity, item.text)


def _apart(graph: SnapshotGraph, one: str, other: str) -> Iterator[Commit]:
    """Commits on the two lines of first parents above where they meet, and none twice."""
    lines: list[str | None] = [one, other]
    while lines[0] != lines[1]:
        commits = [graph.get(snapshot) if snapshot else None for snapshot in lines]
        top = max(commit.generation for commit in commits if commit)
        for line, commit in enumerate(commits):
            if commit is not None and commit.generation == top:
                yield commit
                lines[line] = commit.parents[0] if commit.parents else None
