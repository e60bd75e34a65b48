"""The way back up: what was shown of an entry before its last lowering (Design: entries, `decompress`)."""

from __future__ import annotations

from collections.abc import Iterable

from governance.compression.units import references
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Commit, Item, Shown
from governance.vocabulary import Fidelity


def decompressed(graph: SnapshotGraph, head: str, keys: Iterable[str]) -> dict[str, Shown | None]:
    """What to show of `keys` again (None: FULL), by key; keys that are absent or FULL are left out.

    A tool call that was archived with one of them comes back with it. Only commits are read, back to where each key
    fell, and contents where a merge took a key over. Raises UnknownSnapshot.
    """
    contents = graph.contents(head)
    raised: dict[str, Shown | None] = {}
    pending = sorted(set(keys), reverse=True)
    while pending:
        key = pending.pop()
        item = contents.item(key)
        if key in raised or item is None or item.fidelity is Fidelity.FULL:
            continue
        search = _Search(graph, key, item)
        raised[key] = search.run(head)
        if item.fidelity is Fidelity.ARCHIVED and search.fell_in is not None:
            pending += _companions(graph, search.fell_in, item)
    return dict(sorted(raised.items()))


class _Search:
    """Walks back from a head along the commits that one key's state came through, to the newest higher state.

    Since then the key fell to the state now, or lower and back up to it. `fell_in` is the commit of that fall.
    """

    def __init__(self, graph: SnapshotGraph, key: str, item: Item) -> None:
        self._graph = graph
        self._key = key
        self._item = item
        self.fell_in: Commit | None = None

    def run(self, head: str) -> Shown | None:
        """The state before the fall; FULL (None) where the value was written, since there it starts."""
        snapshot: str | None = head
        while snapshot is not None:
            commit = self._graph.get(snapshot)
            snapshot = self._origin(commit)
            if snapshot is not None:
                continue
            snapshot = commit.parents[0] if commit.parents else None
            written = self._key in commit.writes or self._key in commit.carry
            if written or self._key in commit.shown:
                state = commit.shown.get(self._key)
                if _fidelity(state) > self._item.fidelity:
                    return state
                self.fell_in = commit
            if written:
                return None
        return None

    def _origin(self, commit: Commit) -> str | None:
        """The parent from which a merge took the key over as it stands, if this is such a merge."""
        if self._key not in commit.carry and (self._key not in commit.shown or len(commit.parents) == 1):
            return None
        state = commit.shown.get(self._key)
        for parent in commit.parents:
            item = self._graph.contents(parent).item(self._key)
            if item is not None and item.value == self._item.value and _stands(item, state):
                return parent
        return None


def _companions(graph: SnapshotGraph, commit: Commit, item: Item) -> list[str]:
    """Keys that `commit` archived and that share a tool call with `item`."""
    calls = set(references(graph.values.get(item.value)))
    if not calls:
        return []
    contents = graph.contents(commit.id)
    return [
        key
        for key, shown in commit.shown.items()
        if _fidelity(shown) is Fidelity.ARCHIVED
        and (other := contents.item(key)) is not None
        and not calls.isdisjoint(references(graph.values.get(other.value)))
    ]


def _fidelity(shown: Shown | None) -> Fidelity:
    return Fidelity.FULL if shown is None else shown.fidelity


def _stands(item: Item, shown: Shown | None) -> bool:
    return item.fidelity is _fidelity(shown) and item.text == (None if shown is None else shown.text)
