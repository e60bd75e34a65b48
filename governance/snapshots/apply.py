"""Growing contents by commits. The cost is that of the keys in them; totals and overlap follow each key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from governance.errors import LayerRefused
from governance.snapshots.contents import EMPTY_SPACE, NO_TOTALS, Contents, Totals
from governance.snapshots.model import LAYERS, Item, Shown, Write, made
from governance.snapshots.overlap import OverlapEdit
from governance.snapshots.space_edit import SpaceEdit
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity, Layer

_FULL = Fidelity.FULL
_TOKENS: Final = Totals._fields.index("tokens")


def apply(
    contents: Contents, values: ValueStore, writes: Mapping[str, Write], shown: Mapping[str, Shown | None]
) -> Contents:
    """The contents after `writes`, then `shown`."""
    growing = Growing(contents, values)
    growing.change(writes, shown)
    return growing.finish()


class Growing:
    """What stands at the tip of a line of snapshots: it changes in place as the line grows.

    Most snapshots are asked for nothing but a few entries and sums, and that by the next step: those are at hand
    here, and the immutable maps are built only where somebody wants all of it (`finish`).
    """

    __slots__ = ("_below", "_spaces", "_values", "overlap")

    def __init__(self, below: Contents, values: ValueStore) -> None:
        self._below, self._values = below, values
        self._spaces: dict[str, SpaceEdit] = {}
        self.overlap = OverlapEdit(below.overlap)

    def change(self, writes: Mapping[str, Write], shown: Mapping[str, Shown | None]) -> None:
        """One more step: `writes`, then `shown`. What raises leaves it of no use.

        A written key is FULL unless `shown` has it; a Write without a value deletes it; a shown key that does not
        stand is passed over.
        """
        spaces = self._spaces
        for key, (value, meta, _) in writes.items():
            space_name, _, name = key.partition("/")
            space = spaces.get(space_name) or self._open(space_name, name)
            before = space.item(name)
            if before is not None:
                space.remove(name, before)
            if value is not None:
                entry = shown.get(key) if shown else None
                full = entry is None
                space.add(name, made(Item, (value, meta, _FULL, None)) if full else shown_item(value, meta, entry))
        for key, entry in shown.items():
            if key in writes:
                continue
            space_name, _, name = key.partition("/")
            space = spaces.get(space_name) or self._open(space_name, name)
            before = space.item(name)
            if before is not None:
                space.show(name, before, shown_item(before.value, before.meta, entry))

    def item(self, key: str) -> Item | None:
        space_name, _, name = key.partition("/")
        edit = self._spaces.get(space_name)
        return self._below.named(space_name, name) if edit is None else edit.item(name)

    def named(self, space: str, name: str) -> Item | None:
        edit = self._spaces.get(space)
        if edit is not None:
            return edit.item(name)
        found = self._below.spaces.get(space)
        return None if found is None else found.item(name)

    def totals(self, space: str) -> Totals:
        edit = self._spaces.get(space)
        if edit is not None:
            return edit.totals
        found = self._below.spaces.get(space)
        return NO_TOTALS if found is None else found.totals

    def tokens(self, spaces: Iterable[str]) -> int:
        edits, below, tokens = self._spaces, self._below.spaces, 0
        for name in spaces:
            edit = edits.get(name)
            if edit is not None:
                tokens += edit.sums[_TOKENS]
            elif name in below:
                tokens += below[name].totals.tokens
        return tokens

    def finish(self) -> Contents:
        """All of it, for good: nothing may change here afterwards."""
        spaces = self._below.spaces
        for name, edit in self._spaces.items():
            space = edit.finish()
            if space is not None:
                spaces = spaces.set(name, space)
            elif name in spaces:
                spaces = spaces.delete(name)
        return Contents(spaces, self.overlap.finish())

    def _open(self, space_name: str, name: str) -> SpaceEdit:
        space = self._below.spaces.get(space_name)
        layer = space_name.partition(":")[0]
        if space is None and LAYERS[layer] is Layer.EPHEMERAL:
            raise LayerRefused(space_name, name, "what is ephemeral is never part of a snapshot")
        edit = self._spaces[space_name] = SpaceEdit(layer, space or EMPTY_SPACE, self._values, self.overlap)
        return edit


def shown_item(value: str, meta: str, shown: Shown | None) -> Item:
    """An entry that is shown that way; None: FULL."""
    if shown is None or shown.fidelity is _FULL:
        return made(Item, (value, meta, _FULL, None))
    return made(Item, (value, meta, *shown))
