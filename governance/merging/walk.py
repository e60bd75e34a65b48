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


def diverge(get: Callable[[str], Commit], heads: Sequence[str]) -> Divergence:
    """Walk down from distinct `heads`. Cost: the commits since they parted.

    Below a common commit the walk goes on only as long as one that is not common is still waiting: a branch that
    passes the common commit by must not look as if only some heads had seen what lies below.
    """
    every = (1 << len(heads)) - 1
    masks = {snapshot: 1 << bit for bit, snapshot in enumerate(heads)}
    waiting = [(-get(snapshot).generation, snapshot) for snapshot in heads]
    heapq.heapify(waiting)
    below: set[str] = set()
    """Waiting commits that lie under a common one, where nothing can differ any more."""
    commits, bases, seen_by, visited, differing = [], [], {}, 0, len(waiting)
    while differing:
        snapshot = heapq.heappop(waiting)[1]
        commit, mask = get(snapshot), masks.pop(snapshot)
        visited += 1
        seen_by[snapshot] = mask
        common, is_below = mask == every, snapshot in below
        if is_below:
            below.discard(snapshot)
        else:
            differing -= 1
            if common:
                bases.append(snapshot)
        if not common:
            commits.append(Seen(commit, mask))
        for parent in commit.parents:
            known = masks.get(parent)
            if known is None:
                heapq.heappush(waiting, (-get(parent).generation, parent))
                masks[parent] = mask
                differing += 1
            else:
                masks[parent] = known | mask
            if common and parent not in below:
                below.add(parent)
                differing -= 1
    live = sum(1 << bit for bit, snapshot in enumerate(heads) if seen_by.get(snapshot) == 1 << bit)
    return Divergence(tuple(heads), tuple(bases), tuple(commits), live, visited)
