"""Write domination: which writes still stand (Design: D3 merge).

A write counts unless a later one, in a snapshot that had seen it, overwrote it. What a merge carried over from one of
its parents is no write.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from governance.merging.paths import DELETED, WHOLE, enclosing, value_at
from governance.merging.walk import Seen
from governance.snapshots.model import Commit, Stamp, Write, made
from governance.snapshots.values import ValueStore


class Survivor(NamedTuple):
    """A write of one path that nobody overwrote. `heads` is the mask of the heads that have seen it."""

    commit: str
    generation: int
    path: str
    write: Write
    stamp: Stamp
    heads: int

    def view(self, values: ValueStore, path: str) -> Any:
        """What the writer left at `path`: the original one, where a merge took over somebody's value."""
        return value_at(values.get(self.stamp.value), path) if self.stamp.value else DELETED


def writers(commits: Iterable[Seen]) -> dict[str, list[Seen]]:
    """The commits that wrote a key, by key, in the order given."""
    found: dict[str, list[Seen]] = defaultdict(list)
    for seen in commits:
        for key in seen.commit.writes:
            found[key].append(seen)
    return found


def survivors(commits: Sequence[Seen], written: dict[str, list[Seen]]) -> dict[str, list[Survivor]]:
    """What survives of every key in `written`, the writers of `commits`, which come highest generation first."""
    found: dict[str, list[Survivor]] = {}
    contested: dict[str, list[Seen]] = {}
    for key, seen_by in written.items():
        if len(seen_by) == 1:
            found[key] = [_survivor(seen_by[0], key, path) for path in written_paths(seen_by[0].commit.writes[key])]
        else:
            found[key] = []
            contested[key] = seen_by
    if contested:
        for seen, key, path in _undominated(commits, contested):
            found[key].append(_survivor(seen, key, path))
    return found


def written_paths(write: Write) -> tuple[str, ...]:
    return (WHOLE,) if write.paths is None else write.paths


def place_of(key: str, path: str) -> str:
    """Key and path as one text, another for every place: the id of a conflict, and the key of `won`.

    The path comes after a `#`; one that belongs to the key is written twice.
    """
    escaped = key.replace("#", "##")
    return f"{escaped}#{path}" if path else escaped


def own_stamp(commit: Commit, key: str) -> Stamp:
    """The stamp of a write by the commit itself."""
    meta = commit.meta
    return made(Stamp, (meta.at, commit.step, meta.branch, commit.writes[key].value or ""))


def _survivor(seen: Seen, key: str, path: str) -> Survivor:
    commit = seen.commit
    won = commit.meta.won
    stamp = (won.get(place_of(key, path)) if won else None) or own_stamp(commit, key)
    return made(Survivor, (commit.id, commit.generation, path, commit.writes[key], stamp, seen.heads))


def _undominated(commits: Sequence[Seen], written: Mapping[str, list[Seen]]) -> Iterator[tuple[Seen, str, str]]:
    """Writes of the keys that no descendant covered. What descendants wrote is handed down as a set of bits."""
    bits = _Bits()
    shadows: dict[str, int] = {}
    keys: dict[str, list[str]] = defaultdict(list)
    for key, seen_by in written.items():
        for seen in seen_by:
            keys[seen.commit.id].append(key)
    for seen in commits:
        commit = seen.commit
        shadow = shadows.pop(commit.id, 0)
        if commit.id in keys:
            own = 0
            for key in keys[commit.id]:
                for path in written_paths(commit.writes[key]):
                    bit, cover = bits.of(key, path)
                    own |= bit
                    if not shadow & cover:
                        yield seen, key, path
            shadow |= own
        if shadow:
            for parent in commit.parents:
                shadows[parent] = shadows.get(parent, 0) | shadow


class _Bits:
    """A bit for every place, and the bits of the places that enclose it."""

    def __init__(self) -> None:
        self._bits: dict[tuple[str, str], int] = {}
        self._covers: dict[tuple[str, str], int] = {}

    def of(self, key: str, path: str) -> tuple[int, int]:
        """The place's own bit, and the mask of those that cover it, its own among them."""
        cover = self._covers.get((key, path))
        if cover is None:
            cover = 0
            for place in enclosing(path):
                cover |= self._bits.setdefault((key, place), 1 << len(self._bits))
            self._covers[key, path] = cover
        return self._bits[key, path], cover
