"""The oracle's merge (Design: D3 merge), by comparing everything with everything.

A write stands unless a later one, whose author had seen it, covered its place. Where writes that stand overlap and no
branch has seen both, the last one decides, or sums are added up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from tests.engine.random.context import ARCHIVED, Context, Key, Order, Write
from tests.engine.random.places import MISSING, Place, covers, look, put, same

ADDED_UP = ("a", "c")
"""Names of the variables merged by APPEND and SUM."""
PATH, ITEM_SCOPE = "path", "item:"
"""Scope of the paths that gateways chose, and how the scope of an instance's own items begins: never in conflict."""


class Join:
    """One merge of contexts that split off from `base`."""

    def __init__(self, base: Context, branches: Sequence[Context]) -> None:
        self._base, self._branches, self._log = base, branches, base.log
        self._known = frozenset().union(*(branch.seen for branch in branches))
        new = self._known - frozenset.intersection(*(branch.seen for branch in branches))
        self._new: dict[Key, list[Write]] = {}
        for number in sorted(new):
            self._new.setdefault(self._log[number].key, []).append(self._log[number])
        self.conflicts = 0

    def join(self, activity: str) -> Context:
        """The joined context, under the name of the base. Where at most one branch did anything there is no merge."""
        busy = [branch for branch in self._branches if branch.generation > self._base.generation]
        if len(busy) < 2:
            return (busy or self._branches)[0].fork(self._base.branch)
        joined = self._base.fork(self._base.branch)
        joined.seen = self._known
        joined.gains = frozenset().union(*(branch.gains for branch in self._branches))
        joined.generation = 1 + max(branch.generation for branch in self._branches)
        joined.steps = 1 + max(branch.steps for branch in self._branches)
        joined.time = max(branch.time for branch in self._branches)
        open_scopes = {PATH, *(scope for scope, _ in self._base.values)}
        for key, writes in self._new.items():
            if key[0] in open_scopes:
                self._settle(key, self._standing(writes), joined)
        self._remember(activity, joined)
        return joined

    def _standing(self, writes: list[Write]) -> list[Write]:
        def covered(write: Write) -> bool:
            return any(write.number in other.seen and covers(other.place, write.place) for other in writes)

        return [write for write in writes if not covered(write)]

    def _settle(self, key: Key, standing: list[Write], joined: Context) -> None:
        contents: list[tuple[int, tuple[Any, ...], Place, Any]] = []
        for place, writes, contested in self._regions(standing):
            decided = self._decide(key, place, writes, joined.order) if contested else writes[0]
            if contested:
                self._log.append(replace(decided, number=len(self._log), place=place, seen=self._known))
                joined.seen |= {self._log[-1].number}
            contents.append((len(place), self._added(decided, place), place, look(decided.left, place)))
        value = self._base.values.get(key, MISSING)
        for _, added, place, content in sorted(contents, key=lambda one: one[:2]):
            if added:  # also an item that was there before, and came back: last, as all that are new
                value = put(value, place, MISSING)
            value = put(value, place, content)
        joined.keep(key, value)

    def _regions(self, writes: list[Write]) -> Iterator[tuple[Place, list[Write], bool]]:
        """Places, the writes that decide about each, and whether these are at odds; enclosing places first."""
        rest = sorted(writes, key=lambda write: len(write.place))
        while rest:
            first = rest[0]
            inside = [write for write in rest[1:] if covers(first.place, write.place)]
            rest = [write for write in rest[1:] if write not in inside]
            if any(other.place == first.place or not self._seen_together(first, other) for other in inside):
                yield first.place, [first, *inside], True
            else:
                yield first.place, [first], False
                yield from self._regions(inside)

    def _seen_together(self, one: Write, other: Write) -> bool:
        return any(one.number in branch.seen and other.number in branch.seen for branch in self._branches)

    def _decide(self, key: Key, place: Place, writes: list[Write], now: Order) -> Write:
        """The write whose value stands, or one of the sum."""
        scope, name = key
        if name in ADDED_UP and scope != PATH:
            self.conflicts += 1
            return replace(writes[0], left=self._sum(key), order=now, origin=len(self._log))
        candidates = {write.origin: self._log[write.origin] for write in writes}
        if any(write.place != place for write in writes):
            known = frozenset().union(*(each.seen for each in candidates.values()))
            candidates = {origin: each for origin, each in candidates.items() if origin not in known}
        views = [look(each.left, place) for each in candidates.values()]
        if not all(same(view, views[0]) for view in views) and scope != PATH and not scope.startswith(ITEM_SCOPE):
            self.conflicts += 1
        return max(candidates.values(), key=lambda each: each.order)

    def _sum(self, key: Key) -> Any:
        gains = frozenset().union(*(branch.gains for branch in self._branches)) - self._base.gains
        total = self._base.values[key]
        for gain in sorted((gain for gain in gains if gain.key == key), key=lambda gain: gain.order):
            total = total + (list(gain.amount) if isinstance(gain.amount, tuple) else gain.amount)
        return total

    def _added(self, write: Write, place: Place) -> tuple[Any, ...]:
        """When the item at a place came into its list, as the writer saw it; () if it was there before.

        Of several that one write added, the number tells which came first.
        """
        if not place or isinstance(place[-1], str):
            return ()
        past = {write.origin, *self._log[write.origin].seen}
        added = [
            (each.order, each.number)
            for each in self._new[write.key]
            if each.origin in past and each.origin not in each.seen
            if each.place == place and look(each.left, place) is not MISSING
        ]
        return max(added, default=())

    def _remember(self, activity: str, joined: Context) -> None:
        """Bring HISTORY together: each record as the branch shows it that shows most."""
        joined.grades = {}
        for branch in self._branches:
            for record, grade in branch.grades.items():
                joined.grades[record] = max(grade, joined.grades.get(record, ARCHIVED))
        path = sorted({record for branch in self._branches for record in branch.path})
        joined.path = tuple(path)
        if self.conflicts:
            joined.step()
            joined.record(activity, decided=True)
        elif joined.fade(path):
            joined.show_less()
        joined.path = joined.path[-8:]
