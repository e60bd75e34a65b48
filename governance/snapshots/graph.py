"""The graph of snapshots: commits, their contents, and the way back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from governance.snapshots.contents import Contents
from governance.snapshots.model import Commit, CommitMeta, Shown, Write
from governance.snapshots.values import ValueStore

_NO_WRITES: Mapping[str, Write] = {}
_NOTHING_SHOWN: Mapping[str, Shown | None] = {}


class SnapshotSource(Protocol):
    """Where commits of an earlier session come from."""

    def commits(self, snapshot: str) -> Iterable[Commit]:
        """That commit and, for locality, some of its ancestors; nothing if it is not there."""
        ...

    def checkpoint(self, snapshot: str) -> Mapping[str, Any] | None:
        """`Contents.dump()` of this very snapshot, if one was stored."""
        ...


class SnapshotGraph:
    """Immutable snapshots and who grew from whom. One graph serves one process instance."""

    values: ValueStore

    def __init__(self, values: ValueStore, source: SnapshotSource | None = None) -> None:
        self.values = values
        self._source = source

    def commit(
        self,
        parents: Sequence[str],
        *,
        writes: Mapping[str, Write] = _NO_WRITES,
        carry: Mapping[str, Write] = _NO_WRITES,
        shown: Mapping[str, Shown | None] = _NOTHING_SHOWN,
        meta: CommitMeta,
    ) -> Commit:
        """A new snapshot: the first parent's contents, then `carry`, then `writes`, then `shown`.

        A key written or carried is FULL again unless `shown` says otherwise. What the same step commits again on the
        same parents is the same snapshot. Cost: the keys in it, not the entries. Raises UnknownSnapshot for a parent.
        """
        raise NotImplementedError

    def get(self, snapshot: str) -> Commit:
        """The commit, loaded from the source when it is not in memory. Raises UnknownSnapshot."""
        raise NotImplementedError

    def contents(self, snapshot: str) -> Contents:
        """What stands in the snapshot. Raises UnknownSnapshot."""
        raise NotImplementedError

    def drain(self) -> list[Commit]:
        """Commits made since the last drain, parents before children."""
        raise NotImplementedError

    def log(self, snapshot: str) -> Iterator[Commit]:
        """The snapshot and every ancestor, highest generation first, then by id."""
        raise NotImplementedError

    def restore(self, head: str, snapshot: str, meta: CommitMeta) -> Commit:
        """A new commit on `head` after which exactly the entries of `snapshot` stand, as they were shown there."""
        raise NotImplementedError
