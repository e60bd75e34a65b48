"""Growing contents by a commit. The cost is that of the keys in it; totals, tree and overlap follow each key."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from immutables import Map, MapMutation

from governance.errors import LayerRefused
from governance.snapshots.contents import EMPTY_SPACE, Contents, Space, Totals
from governance.snapshots.model import Item, Shown, Write
from governance.snapshots.overlap import OverlapEdit
from governance.snapshots.render import full_size, record_outputs, shown_size
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity, Layer

_TREE_MASK = (1 << 256) - 1


def apply(
    contents: Contents, values: ValueStore, writes: Mapping[str, Write], shown: Mapping[str, Shown | None]
) -> Contents:
    """The contents after `writes`, then `shown`.

    A written key is FULL unless `shown` has it; a Write without a value deletes it; a shown key that does not stand is
    passed over.
    """
    edit = _Edit(contents, values)
    for key, write in writes.items():
        edit.replace(key, None if write.value is None else _item(write.value, write.meta, shown.get(key)))
    for key, entry in shown.items():
        if key not in writes and (item := contents.item(key)) is not None:
            edit.replace(key, _item(item.value, item.meta, entry))
    return edit.finish()


def _item(value: str, meta: str, shown: Shown | None) -> Item:
    if shown is None or shown.fidelity is Fidelity.FULL:
        return Item(value, meta)
    return Item(value, meta, shown.fidelity, shown.text)


class _SpaceEdit:
    """One space while it changes."""

    __slots__ = ("archived", "layer", "rendered", "totals")

    def __init__(self, name: str, space: Space) -> None:
        self.layer = name.partition(":")[0]
        self.rendered: MapMutation[str, Item] = space.rendered.mutate()
        self.archived: Map[str, Item] = space.archived
        self.totals = list(space.totals)

    def take(self, name: str) -> Item | None:
        item = self.rendered.pop(name, None)
        if item is None and (item := self.archived.get(name)) is not None:
            self.archived = self.archived.delete(name)
        return item

    def put(self, name: str, item: Item) -> None:
        if item.fidelity is Fidelity.ARCHIVED:
            self.archived = self.archived.set(name, item)
        else:
            self.rendered[name] = item

    def finish(self) -> Space | None:
        """The changed space; None if nothing stands in it."""
        return Space(self.rendered.finish(), self.archived, Totals(*self.totals)) if self.totals[0] else None


class _Edit:
    """Contents while they change."""

    def __init__(self, contents: Contents, values: ValueStore) -> None:
        self._contents, self._values = contents, values
        self._tree = contents.tree
        self._overlap = OverlapEdit(contents.overlap)
        self._spaces: dict[str, _SpaceEdit] = {}

    def replace(self, key: str, item: Item | None) -> None:
        """Put `item` in the place of what stands under the key; None leaves the place empty."""
        space_name, _, name = key.partition("/")
        space = self._spaces.get(space_name)
        if space is None:
            space = self._spaces[space_name] = self._open(space_name, name)
        before = space.take(name)
        if item is not None:
            space.put(name, item)
        if before is not None:
            self._account(space, key, name, before, -1)
        if item is not None:
            self._account(space, key, name, item, 1)
        old, new = before and before.value, item and item.value
        if old != new:
            self._tree += (_term(key, new) if new else 0) - (_term(key, old) if old else 0)

    def _open(self, space_name: str, name: str) -> _SpaceEdit:
        space = self._contents.spaces.get(space_name)
        if space is None and Layer(space_name.partition(":")[0]) is Layer.EPHEMERAL:
            raise LayerRefused(space_name, name, "what is ephemeral is never part of a snapshot")
        return _SpaceEdit(space_name, space or EMPTY_SPACE)

    def finish(self) -> Contents:
        spaces = self._contents.spaces.mutate()
        for name, edit in self._spaces.items():
            space = edit.finish()
            if space is not None:
                spaces[name] = space
            else:
                spaces.pop(name, None)
        return Contents(self._tree & _TREE_MASK, spaces.finish(), self._overlap.finish())

    def _account(self, space: _SpaceEdit, key: str, name: str, item: Item, sign: int) -> None:
        """Count an item that comes (1) or leaves (-1)."""
        totals = space.totals
        full = full_size(self._values, key, item.value)
        totals[0] += sign
        totals[4] += sign * full.chars
        totals[5] += sign * full.tokens
        if item.fidelity is Fidelity.ARCHIVED:
            totals[1] += sign
            return
        size = full if item.fidelity is Fidelity.FULL else shown_size(self._values, key, item)
        totals[2] += sign * size.chars
        totals[3] += sign * size.tokens
        if sign < 0:
            self._overlap.remove(space.layer, name, item.value)
        elif space.layer == "HISTORY":
            self._overlap.add(space.layer, name, item.value, record_outputs(self._values.get(item.value)))
        else:
            self._overlap.add(space.layer, name, item.value)


def _term(key: str, value_hash: str) -> int:
    """One entry's part of the tree hash; additive, so that a change costs what changed."""
    return int.from_bytes(sha256(f"{key}\0{value_hash}".encode()).digest(), "big")
