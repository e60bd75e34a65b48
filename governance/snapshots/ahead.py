"""What stands in a snapshot that branches off, told from the one below it, for as long as that is enough.

Parallel branches begin with the same snapshot, and most of theirs are asked only what a record in HISTORY leaves as it
was. Nothing is built for them then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Final, NamedTuple

from governance.snapshots.contents import Contents, Totals
from governance.snapshots.lookup import Overlapping, Standing
from governance.snapshots.model import Commit, Item, key_of
from governance.snapshots.overlap import INDEX
from governance.snapshots.render import outputs_of
from governance.snapshots.values import Entries, ValueStore
from governance.vocabulary import Fidelity, Layer

_HISTORY: Final = Layer.HISTORY.value
_RECORDS: Final = f"{_HISTORY}/"


def only_records(writes: Collection[str]) -> bool:
    """Whether all that is written is in HISTORY."""
    # What lies between two that begin so begins so, too.
    return bool(writes) and min(writes).startswith(_RECORDS) and max(writes).startswith(_RECORDS)


class Counted(NamedTuple):
    """What two or more layers have in common."""

    duplicated: int
    entries: int


class Ahead:
    """A `Standing`, of a commit on `below`. What it cannot tell is asked of what `grow` builds."""

    __slots__ = ("_below", "_built", "_changed", "_grow", "_values", "commit")

    def __init__(self, commit: Commit, below: Contents, values: ValueStore, grow: Callable[[Commit], Standing]) -> None:
        self.commit, self._below, self._values, self._grow = commit, below, values, grow
        self._changed = {*commit.writes, *commit.shown} if commit.shown else commit.writes.keys()
        self._built: Standing | None = None

    def item(self, key: str) -> Item | None:
        return self._own.item(key) if key in self._changed else self._below.item(key)

    def named(self, space: str, name: str) -> Item | None:
        return self.item(key_of(space, name))

    def totals(self, space: str) -> Totals:
        start = f"{space}/"
        for key in self._changed:
            if key.startswith(start):
                return self._own.totals(space)
        return self._below.totals(space)

    def tokens(self, spaces: Iterable[str]) -> int:
        return self._own.tokens(spaces)

    @property
    def overlap(self) -> Overlapping:
        below, found = self._below.overlap, self._entries()
        if found is None or not below.is_apart(INDEX[_HISTORY], found):
            return self._own.overlap
        return Counted(below.duplicated, below.entries + len(found))

    @property
    def _own(self) -> Standing:
        if self._built is None:
            self._built = self._grow(self.commit)
        return self._built

    def _entries(self) -> Entries | None:
        """What its records bring into the overlap; None where something else changes it."""
        below, values = self._below, self._values
        found: Entries = ()
        for key, write in self.commit.writes.items():
            outputs = outputs_of(values, write.value) if write.value else None
            if outputs is None or below.item(key) is not None:
                return None
            found += outputs
        for key, shown in self.commit.shown.items():
            before = below.item(key)
            if shown is None or before is None or Fidelity.ARCHIVED in (shown.fidelity, before.fidelity):
                return None
        return found
