"""What branches did since they parted: the commits that not all of them have seen."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from governance.snapshots.model import Commit


class Seen(NamedTuple):
    """A commit and, as a bit mask, the heads that have seen it."""

    commit: Commit
    heads: int


@dataclass(frozen=True, slots=True)
class Divergence:
    """The part of the graph that lies between heads and what they all share.

    `commits` are those that not every head has seen, highest generation first; `bases` the newest that every head has
    seen (several after a criss-cross); `live` the mask of heads that no other head has seen; `visited` the number of
    commits looked at.
    """

    heads: tuple[str, ...]
    bases: tuple[str, ...]
    commits: tuple[Seen, ...]
    live: int
    visited: int


@dataclass(slots=True)
class _Place:
    """A commit on the way down. `below` is set under a common commit, where nothing can differ any more."""

    commit: Commit
    heads: int = 0
    below: bool = False


class _Walk:
    """Goes down by generation, so that all descendants of a commit come before it."""

    def __init__(self, get: Callable[[str], Commit]) -> None:
        self._get = get
        self._places: dict[str, _Place] = {}
        self._heap: list[tuple[int, str]] = []
        self.differing = 0

    def reach(self, snapshot: str, heads: int, below: bool = False) -> None:
        place = self._places.get(snapshot)
        if place is None:
            place = self._places[snapshot] = _Place(self._get(snapshot))
            heapq.heappush(self._heap, (-place.commit.generation, snapshot))
            self.differing += 1
        place.heads |= heads
        if below and not place.below:
            place.below = True
            self.differing -= 1

    def take(self) -> _Place:
        place = self._places.pop(heapq.heappop(self._heap)[1])
        self.differing -= not place.below
        return place


def diverge(get: Callable[[str], Commit], heads: Sequence[str]) -> Divergence:
    """Walk down from distinct `heads`. Cost: the commits since they parted.

    Below a common commit the walk goes on only as long as one that is not common is still waiting: a branch that
    passes the common commit by must not look as if only some heads had seen what lies below.
    """
    every = (1 << len(heads)) - 1
    walk = _Walk(get)
    for bit, snapshot in enumerate(heads):
        walk.reach(snapshot, 1 << bit)
    commits, bases, seen_by, visited = [], [], {}, 0
    while walk.differing:
        place = walk.take()
        commit, common = place.commit, place.heads == every
        visited += 1
        seen_by[commit.id] = place.heads
        if not common:
            commits.append(Seen(commit, place.heads))
        elif not place.below:
            bases.append(commit.id)
        for parent in commit.parents:
            walk.reach(parent, place.heads, below=common)
    live = sum(1 << bit for bit, snapshot in enumerate(heads) if seen_by.get(snapshot) == 1 << bit)
    return Divergence(tuple(heads), tuple(bases), tuple(commits), live, visited)
