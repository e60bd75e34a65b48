"""Surviving writes of one key, put together where they touch the same place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from governance.merging.paths import WHOLE, covers
from governance.merging.survivors import Survivor


@dataclass(frozen=True, slots=True)
class Region:
    """A place, and the surviving writes that decide what stands there, oldest stamp first.

    Contested: a write of the place overlaps with another that no head has seen together with it. Then all writes
    inside belong to the region, and each offers the whole place as its writer left it.
    """

    path: str
    members: tuple[Survivor, ...]
    contested: bool
    depth: int = 0
    """How many other regions enclose it."""

    @property
    def is_flat(self) -> bool:
        """Whether all members write the place itself, and none something inside it."""
        return all(member.path == self.path for member in self.members)


def regions(survivors: Iterable[Survivor], depth: int = 0) -> list[Region]:
    """Where the writes of a key belong together; an enclosing region comes before those inside it.

    Two overlapping writes that one head has seen both are settled: the later one knew the earlier one, or a merge
    overwrote both.
    """
    return [region for cluster in _clusters(survivors) for region in _settle(cluster, depth)]


def _clusters(survivors: Iterable[Survivor]) -> Iterator[list[Survivor]]:
    """Groups of survivors under the same outermost path, which the first of a group has."""
    survivors = list(survivors)
    if survivors and all(survivor.path == WHOLE for survivor in survivors):
        yield survivors
        return
    group: list[Survivor] = []
    for survivor in sorted(survivors, key=lambda one: one.path.split("/")):
        if group and not covers(group[0].path, survivor.path):
            yield group
            group = []
        group.append(survivor)
    if group:
        yield group


def _settle(cluster: list[Survivor], depth: int) -> list[Region]:
    """The region at the top of a cluster and, if nothing contests it, those inside it."""
    first, path = cluster[0], cluster[0].path
    if any(member.path == path or not member.heads & first.heads for member in cluster[1:]):
        return [Region(path, tuple(sorted(cluster, key=lambda member: member.stamp.order())), True, depth)]
    return [Region(path, (first,), False, depth), *regions(cluster[1:], depth + 1)]
