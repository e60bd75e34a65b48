"""From settled regions to the values and writes of a merge commit."""

from __future__ import annotations

from operator import itemgetter
from typing import Any, NamedTuple

from governance.merging.assigning import Assignment, assign
from governance.merging.evidence import Evidence
from governance.merging.paths import DELETED, WHOLE, holder_of, is_item, item_steps, last_step, value_at
from governance.merging.settlement import KeyMerge, Outcome, Settlement
from governance.merging.survivors import place_of
from governance.snapshots.model import Stamp, Write
from governance.snapshots.values import ValueStore

_WITH_WINNER = (Outcome.AGREED, Outcome.CHOSEN)


class Author(NamedTuple):
    """The merge commit as the author of what a person decided: its stamp's first parts, and the metadata's hash."""

    at: str
    generation: int
    branch: str
    meta: str


class Composing:
    """Puts keys together on top of the head whose bit is `first`: the merge commit's first parent."""

    def __init__(self, values: ValueStore, evidence: Evidence, first: int) -> None:
        self._values, self._evidence, self._first = values, evidence, first

    def content(self, merge: KeyMerge) -> Any:
        """The merged value, DELETED if the key goes."""
        outermost = merge.settlements[0].region.path
        item = None if outermost == WHOLE else self._evidence.item(self._first, merge.key)
        start = DELETED if item is None else self._values.get(item.value)
        return assign(start, self._assignments(merge))

    def is_carried(self, merge: KeyMerge) -> bool:
        """Whether the merge commit carries the key: it decides nothing, and its first parent has not seen all of it."""
        return not merge.is_written and not merge.heads >> self._first & 1

    def carry(self, merge: KeyMerge) -> Write:
        """What the merge takes over: from one head that has seen all writes, or put together from several."""
        latest = merge.settlements[-1].latest
        if merge.heads:
            item = self._evidence.item(_lowest_bit(merge.heads), merge.key)
            return Write(None, latest.write.meta) if item is None else Write(item.value, item.meta)
        return Write(self._content_hash(merge), latest.write.meta)

    def write(self, merge: KeyMerge, author: Author) -> Write:
        """What the merge itself decides."""
        decided = [one for one in merge.settlements if one.is_written]
        paths = tuple(sorted(one.region.path for one in decided))
        by_person = any(one.by_person for one in decided)
        meta = author.meta if by_person else self._evidence.meta_hash(merge.key, decided[-1].latest)
        return Write(self._content_hash(merge), meta, None if paths == (WHOLE,) else paths)

    def won(self, merge: KeyMerge, write: Write, author: Author) -> dict[str, Stamp]:
        """Whose value stands where, by place; a fold has no winner."""
        stamps: dict[str, Stamp] = {}
        for one in merge.settlements:
            place = place_of(merge.key, one.region.path)
            if one.outcome in _WITH_WINNER and one.winner is not None:
                stamps[place] = one.winner.stamp
            elif one.outcome is Outcome.GIVEN:
                stamps[place] = Stamp(author.at, author.generation, author.branch, write.value or "")
        return stamps

    def _assignments(self, merge: KeyMerge) -> list[Assignment]:
        """Outer regions before inner ones, and new items of a list in the order in which they came into it.

        Several that one write added stand as they do in that write's own list.
        """
        ranked = []
        places: dict[tuple[Stamp, str], dict[str, int]] = {}
        for one in merge.settlements:
            path, added = one.region.path, self._added(merge.key, one)
            content, order = one.content(self._values), self._order(merge.key, one)
            rank: tuple[object, ...] = (one.region.depth,)
            if added is not None:
                holder = holder_of(path)
                if (added, holder) not in places:
                    places[added, holder] = self._places_in(added, holder)
                rank = (*rank, *added.order(), holder, places[added, holder][last_step(path)])
            ranked.append((rank, Assignment(path, content, order, added is not None)))
        return [assignment for _, assignment in sorted(ranked, key=itemgetter(0))]

    def _places_in(self, added: Stamp, holder: str) -> dict[str, int]:
        """The positions of a list's items, by step, as a write left them."""
        steps = item_steps(value_at(self._values.get(added.value), holder))
        return {step: position for position, step in enumerate(steps)}

    def _added(self, key: str, settlement: Settlement) -> Stamp | None:
        path = settlement.region.path
        return self._evidence.added(key, settlement.latest, path) if is_item(path) else None

    def _order(self, key: str, settlement: Settlement) -> tuple[str, ...]:
        """For an item: the list that it is in, as a head has it that saw it last."""
        path = settlement.region.path
        if not is_item(path):
            return ()
        item = self._evidence.item(_lowest_bit(settlement.latest.heads), key)
        return () if item is None else item_steps(value_at(self._values.get(item.value), holder_of(path)))

    def _content_hash(self, merge: KeyMerge) -> str | None:
        first = merge.settlements[0]
        if len(merge.settlements) == 1 and first.winner is not None and first.region.path == WHOLE:
            return first.winner.stamp.value or None
        content = self.content(merge)
        return None if content is DELETED else self._values.put(content)


def _lowest_bit(mask: int) -> int:
    return (mask & -mask).bit_length() - 1
