"""Branches as lanes, the way a git graph draws them: where each begins, ends, and comes together with others."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.events import Event, EventType
from engine.report.model.family import Family

MOST_LANES: Final = 9
"""Lanes side by side; further branches share the last one."""


@dataclass(frozen=True, slots=True)
class Line:
    """A lane beside or at a row. It comes from the row above, goes on to the one below; `waits` for its branches."""

    lane: int
    above: bool
    below: bool
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Crossing:
    """A row of the graph: the lane where something happened, and the lanes that begin (or end) there."""

    lane: int
    lines: tuple[Line, ...]
    forks: tuple[int, ...] = ()
    joins: tuple[int, ...] = ()


class Braid:
    """Gives each event its row. Cost of a row: the lanes, and the branches that the event opens or closes.

    `lost` are the branches that interruptions ended, by the numbers of their events.
    """

    def __init__(self, lost: Mapping[int, Sequence[str]]) -> None:
        self._lost = lost
        self._family = Family()
        self._lanes: dict[str, int] = {}
        self._waits: set[str] = set()
        self._open: Counter[int] = Counter()
        self._active: Counter[int] = Counter()
        self._free: list[int] = []
        self._next = 0
        self.widest = 1

    def row(self, event: Event) -> Crossing:
        before = self._state()
        if event.branch not in self._lanes and event.type is not EventType.D3:
            self._begin(event.branch)
        forks, joins, lane = self._apply(event)
        after = self._state()
        lines = []
        for each in sorted({*before, *after, lane}):
            fresh = each in forks and each not in before
            gone = each in joins and each not in after
            above, below = each in before and not gone, each in after and not fresh
            if above or below:
                lines.append(Line(each, above, below, after.get(each, before.get(each, False)) and each != lane))
        return Crossing(lane, tuple(lines), tuple(forks), tuple(joins))

    def _apply(self, event: Event) -> tuple[list[int], list[int], int]:
        """Lanes that begin and end with the event, and its own."""
        if event.type is EventType.D2:
            return self._split(event.branch, event.data.get("branches", ())), [], self._lanes[event.branch]
        if event.type is EventType.D3:
            return self._join(event)
        lane = self._lanes[event.branch]
        for branch in self._lost.get(event.seq, ()):
            self._end(branch)
        if event.type is EventType.INSTANCE_COMPLETED:
            for branch in list(self._lanes):
                self._end(branch)
        return [], [], lane

    def _split(self, parent: str, branches: Sequence[str]) -> list[int]:
        if len(branches) > 1 and parent not in self._waits:
            self._waits.add(parent)
            self._active[self._lanes[parent]] -= 1
        return sorted({self._begin(branch) for branch in branches if branch not in self._lanes})

    def _join(self, event: Event) -> tuple[list[int], list[int], int]:
        arrived = [branch for branch in event.data.get("branches", ()) if branch in self._lanes]
        into = self._lanes.get(event.branch)
        if into is None:
            into = min((self._lanes[branch] for branch in arrived), default=0)
        ended = sorted({self._lanes[branch] for branch in arrived} - {into})
        for branch in arrived:
            if branch != event.branch:
                self._end(branch)
        if event.branch in self._waits:
            for branch in self._family.rejoin(event.branch):
                self._end(branch)
            self._waits.discard(event.branch)
            self._active[into] += 1
        elif event.branch not in self._lanes:
            self._take(event.branch, into)
        return [], ended, into

    def _begin(self, branch: str) -> int:
        lane = heapq.heappop(self._free) if self._free else min(self._next, MOST_LANES)
        if lane == self._next:
            self._next += 1
        self._take(branch, lane)
        return lane

    def _take(self, branch: str, lane: int) -> None:
        if lane in self._free:
            self._free.remove(lane)
            heapq.heapify(self._free)
        self._family.add(branch)
        self._lanes[branch] = lane
        self._open[lane] += 1
        self._active[lane] += 1
        self.widest = max(self.widest, lane + 1)

    def _end(self, branch: str) -> None:
        lane = self._lanes.pop(branch, None)
        if lane is None:
            return
        self._open[lane] -= 1
        if branch in self._waits:
            self._waits.discard(branch)
        else:
            self._active[lane] -= 1
        if not self._open[lane] and lane < MOST_LANES:
            heapq.heappush(self._free, lane)

    def _state(self) -> dict[int, bool]:
        """Lanes that are open, and whether all of their branches wait."""
        return {lane: not self._active[lane] for lane, count in self._open.items() if count}


def crossings(events: Iterable[Event], lost: Mapping[int, Sequence[str]]) -> tuple[list[Crossing], int]:
    """The row of each event, and how many lanes there are."""
    braid = Braid(lost)
    rows = [braid.row(event) for event in events]
    return rows, braid.widest
