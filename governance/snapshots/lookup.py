"""Looking entries up in a snapshot whose contents are not built: what changed on the way to it, on top of others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from governance.snapshots.apply import shown_item
from governance.snapshots.contents import Contents, Totals
from governance.snapshots.model import Commit, Item, made
from governance.vocabulary import Fidelity


class Entries(Protocol):
    """Where an entry can be looked up; `Contents` is one."""

    def item(self, key: str) -> Item | None:
        """The entry under a full key, None if there is none."""
        ...


class Overlapping(Protocol):
    """What two or more layers have in common, counted."""

    @property
    def duplicated(self) -> int: ...

    @property
    def entries(self) -> int: ...


class Standing(Entries, Protocol):
    """What a step asks of the snapshot it begins with: entries, sums, counts.

    To be asked at once and not kept: it may go on with the next snapshot. `Contents` is one that never changes.
    """

    @property
    def overlap(self) -> Overlapping: ...

    def named(self, space: str, name: str) -> Item | None:
        """The entry of a space with that name, None if there is none."""
        ...

    def totals(self, space: str) -> Totals:
        """Sums over a space, zeros where it has no entries."""
        ...

    def tokens(self, spaces: Iterable[str]) -> int:
        """Tokens of the lines of these spaces as shown."""
        ...


class Changed:
    """The entries after some commits on one line, oldest first, that grew from `below`. Cost: the keys in them."""

    def __init__(self, line: Iterable[Commit], below: Contents) -> None:
        self._changed: dict[str, Item | None] = {}
        self._below = below
        for commit in line:
            self._add(commit)

    def item(self, key: str) -> Item | None:
        return self._changed[key] if key in self._changed else self._below.item(key)

    def _add(self, commit: Commit) -> None:
        """Bring in what a commit changed: carried, written, shown."""
        changed = self._changed
        for changes in (commit.carry, commit.writes):
            for key, (value, meta, _) in changes.items():
                changed[key] = None if value is None else made(Item, (value, meta, Fidelity.FULL, None))
        for key, shown in commit.shown.items():
            item = self.item(key)
            if item is not None:
                changed[key] = shown_item(item.value, item.meta, shown)
