"""The graph of snapshots: commits, their contents, and the way back."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from governance.errors import GovernanceError, UnknownSnapshot
from governance.snapshots.ahead import Ahead, only_records
from governance.snapshots.apply import Growing, apply
from governance.snapshots.cache import ContentsCache
from governance.snapshots.commits import make_commit
from governance.snapshots.contents import Contents
from governance.snapshots.lookup import Changed, Entries, Standing
from governance.snapshots.metadata import put_meta
from governance.snapshots.model import Commit, CommitMeta, EntryMeta, Shown, Write
from governance.snapshots.restore import touched_keys, way_back
from governance.snapshots.values import ValueStore

_NO_WRITES: Mapping[str, Write] = {}
_NOTHING_SHOWN: Mapping[str, Shown | None] = {}
_TIPS = 1_024
"""How many lines of snapshots may grow side by side. What grew longest ago is built anew when it is asked for."""


class SnapshotSource(Protocol):
    """Where commits of an earlier session come from."""

    def commits(self, snapshot: str) -> Iterable[Commit]:
        """That commit and, for locality, some of its ancestors; nothing if it is not there."""
        ...

    def checkpoint(self, snapshot: str) -> Mapping[str, Any] | None:
        """`Contents.dump()` of this very snapshot, if one was stored."""
        ...


class SnapshotGraph:
    """Immutable snapshots and who grew from whom. One graph serves one process instance.

    `source` is asked for commits that are not in memory, `cache` says which contents stay there.
    """

    def __init__(
        self, values: ValueStore, source: SnapshotSource | None = None, cache: ContentsCache | None = None
    ) -> None:
        self.values = values
        self._source = source
        self._cache = cache or ContentsCache()
        self._cached = self._cache.get
        self._tips: dict[str, Growing] = {}
        self._ahead: dict[str, Ahead] = {}
        self._commits: dict[str, Commit] = {}
        self._undrained: list[Commit] = []

    def commit(
        self,
        parents: Sequence[str],
        *,
        writes: Mapping[str, Write] = _NO_WRITES,
        carry: Mapping[str, Write] = _NO_WRITES,
        shown: Mapping[str, Shown | None] = _NOTHING_SHOWN,
        meta: CommitMeta,
        lazily: bool = False,
        sure: bool = False,
    ) -> Commit:
        """A new snapshot: the first parent's contents, then `carry`, then `writes`, then `shown`.

        A key written or carried is FULL again unless `shown` says otherwise. What the same step commits again on the
        same parents is the same snapshot. Cost: the keys in it, not the entries. Raises UnknownSnapshot for a parent
        and UnknownValue for a hash, and then nothing was committed. `lazily`: contents are built when somebody asks
        for them, together with those of the next snapshot if it comes first; all hashes must be known to be right.
        `sure`: there are parents, all hashes are, and if the snapshot branches off it may wait to be built, too.
        """
        commits, generation, step = self._commits, 0, 0
        for parent in parents:
            before = commits.get(parent) or self.get(parent)
            if before.generation > generation:
                generation = before.generation
            if before.step > step:
                step = before.step
        step += bool(writes or carry)
        commit = make_commit(parents, writes, carry, shown, meta, generation + 1, step)
        known = commits.get(commit.id)
        if known is not None:
            return known
        commits[commit.id] = commit
        below = self._cached(parents[0]) if sure else None
        if not lazily and (below is None or not self._waits(commit, below)):
            try:
                self._build(commit)
            except GovernanceError:
                del commits[commit.id]
                raise
        self._undrained.append(commit)
        return commit

    def get(self, snapshot: str) -> Commit:
        """The commit, loaded from the source when it is not in memory. Raises UnknownSnapshot."""
        found = self._commits.get(snapshot)
        if found is None and self._source is not None:
            for commit in self._source.commits(snapshot):
                self._commits.setdefault(commit.id, commit)
            found = self._commits.get(snapshot)
        if found is None:
            raise UnknownSnapshot(snapshot)
        return found

    def knows(self, snapshot: str) -> bool:
        """Whether the commit was made here or has been loaded."""
        return snapshot in self._commits

    def at_hand(self, snapshot: str) -> Contents | None:
        """What stands in the snapshot, if that is known without looking at another one."""
        return self._cached(snapshot)

    def standing(self, snapshot: str) -> Standing:
        """What stands in the snapshot, to be asked at once for this and that. Raises UnknownSnapshot."""
        found = self._tips.get(snapshot) or self._cached(snapshot)
        return found or self._ahead.get(snapshot) or self.contents(snapshot)

    def contents(self, snapshot: str) -> Contents:
        """What stands in the snapshot. Raises UnknownSnapshot.

        At hand for a new commit; else rebuilt from the nearest first parent whose contents are cached or stored,
        reading the sizes of those values only that still stand.
        """
        found = self._known(snapshot)
        if found is not None:
            return found
        line: list[Commit] = []
        place: str | None = snapshot
        while place is not None and found is None:
            line.append(self.get(place))
            place = line[-1].parents[0] if line[-1].parents else None
            found = None if place is None else self._known(place)
        return self._rebuild(found or Contents(), line)

    def drain(self) -> list[Commit]:
        """Commits made since the last drain, parents before children."""
        drained = self._undrained
        self._undrained = []
        return drained

    def log(self, snapshot: str) -> Iterator[Commit]:
        """The snapshot and every ancestor, highest generation first, then by id."""
        seen = {snapshot}
        heap = [(-self.get(snapshot).generation, snapshot)]
        while heap:
            commit = self.get(heapq.heappop(heap)[1])
            yield commit
            for parent in commit.parents:
                if parent not in seen:
                    seen.add(parent)
                    heapq.heappush(heap, (-self.get(parent).generation, parent))

    def restore(self, head: str, snapshot: str, meta: CommitMeta) -> Commit:
        """A new commit on `head` after which exactly the entries of `snapshot` stand, as they were shown there.

        Entries come back with their own metadata. Cost: the commits between the two and their last common first
        parent, not the entries. Raises UnknownSnapshot.
        """
        deletion = EntryMeta(activity=meta.activity, branch=meta.branch, created_at=meta.at)
        writes, shown = way_back(
            self.contents(head),
            self.contents(snapshot),
            touched_keys(self, head, snapshot),
            put_meta(self.values, deletion),
        )
        return self.commit([head], writes=writes, shown=shown, meta=meta)

    def look(self, snapshot: str) -> Entries:
        """Its entries, to look some up; nothing is built if it just grew lazily. Raises UnknownSnapshot."""
        at_hand = self._cached(snapshot)
        if at_hand is not None:
            return at_hand
        commit = self.get(snapshot)
        return Changed([commit], self.contents(commit.parents[0]) if commit.parents else Contents())

    def _build(self, commit: Commit) -> None:
        """What stands in a new commit: its first parent's tip grows on, or a new one on top of its contents."""
        first, id = commit.parents[0] if commit.parents else "", commit.id
        if first in self._ahead:
            self._build(self._ahead.pop(first).commit)
        tip = self._tips.pop(first, None)
        if tip is None:
            below = self._cached(first) if first else Contents()
            if below is None:
                self.contents(id)
                return
            tip = Growing(below, self.values)
        tip.change({**commit.carry, **commit.writes} if commit.carry else commit.writes, commit.shown)
        if self._cache.is_anchor(commit):
            self._cache.put(commit, tip.finish())
            return
        self._tips[id] = tip
        if len(self._tips) > _TIPS:
            del self._tips[next(iter(self._tips))]

    def _waits(self, commit: Commit, below: Contents) -> bool:
        """Whether a commit on what others may branch off from, too, waits to be built: one of records alone does."""
        if commit.carry or self._cache.is_anchor(commit) or not only_records(commit.writes):
            return False
        self._ahead[commit.id] = Ahead(commit, below, self.values, self._grow)
        if len(self._ahead) > _TIPS:
            del self._ahead[next(iter(self._ahead))]
        return True

    def _grow(self, commit: Commit) -> Standing:
        """Build what waited."""
        if self._ahead.pop(commit.id, None) is not None:
            self._build(commit)
        return self.standing(commit.id)

    def _known(self, snapshot: str) -> Contents | None:
        """Contents that need not be made from others': remembered, growing, or stored."""
        found = self._cached(snapshot)
        if found is not None:
            return found
        self._ahead.pop(snapshot, None)
        tip = self._tips.pop(snapshot, None)
        if tip is None:
            return self._stored(snapshot)
        found = tip.finish()
        self._cache.put(self.get(snapshot), found)
        return found

    def _stored(self, snapshot: str) -> Contents | None:
        """Contents from a checkpoint."""
        dump = None if self._source is None else self._source.checkpoint(snapshot)
        if dump is None:
            return None
        found = Contents.load(dump)
        self._cache.put(self.get(snapshot), found)
        return found

    def _rebuild(self, base: Contents, line: list[Commit]) -> Contents:
        """Contents of the first of `line`, newest first, on top of `base`.

        Built by way of the newest anchor, so that heads which grew from it share the work.
        """
        anchor = next((place for place, commit in enumerate(line) if self._cache.is_anchor(commit)), 0)
        for part in (line[anchor:], line[:anchor]):
            if part:
                base = apply(base, self.values, *_folded(reversed(part)))
                self._cache.put(part[0], base)
        return base


def _folded(line: Iterable[Commit]) -> tuple[dict[str, Write], dict[str, Shown | None]]:
    """The writes and shown of commits, oldest first, as if one commit had made them."""
    writes: dict[str, Write] = {}
    shown: dict[str, Shown | None] = {}
    for commit in line:
        for changes in (commit.carry, commit.writes):
            writes.update(changes)
            for key in changes:
                shown.pop(key, None)
        shown.update(commit.shown)
    return writes, shown
