"""Growing contents by a commit. The cost is that of the keys in it; totals, tree and overlap follow each key."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from immutables import Map, MapMutation

from governance.errors import LayerRefused
from governance.snapshots.contents import EMPTY_SPACE, Contents, Space, Totals
from governance.snapshots.model import Item, Shown, Write
from governance.snapshots.overlap import OverlapEdit
from governance.snapshots.render import full_text_size, record_outputs, shown_text_size
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity, Layer

_TREE_MASK = (1 << 256) - 1
_FULL, _ARCHIVED = Fidelity.FULL, Fidelity.ARCHIVED
_HISTORY = Layer.HISTORY.value


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
    if shown is None or shown.fidelity is _FULL:
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

    def swap(self, name: str, item: Item | None) -> Item | None:
        """Put `item` in the place of what stands under the name, and hand that out."""
        archive = item is not None and item.fidelity is _ARCHIVED
        before = self.rendered.get(name)
        if before is not None:
            if item is None or archive:
                del self.rendered[name]
        elif (before := self.archived.get(name)) is not None and not archive:
            self.archived = self.archived.delete(name)
        if item is not None:
            if archive:
                self.archived = self.archived.set(name, item)
            else:
                self.rendered[name] = item
        return before

    def finish(self) -> Space | None:
        """The changed space; None if nothing stands in it."""
        return Space(self.rendered.finish(), self.archived, Totals._make(self.totals)) if self.totals[0] else None


class _Edit:
    """Contents while they change."""

    __slots__ = ("_contents", "_overlap", "_spaces", "_tree", "_values")

    def __init__(self, contents: Contents, values: ValueStore) -> None:
        self._contents, self._values = contents, values
        self._tree = contents.tree
        self._overlap = OverlapEdit(contents.overlap)
        self._spaces: dict[str, _SpaceEdit] = {}

    def replace(self, key: str, item: Item | None) -> None:
        """Put `item` in the place of what stands under the key; None leaves the place empty."""
        space_name, _, name = key.partition("/")
        space = self._spaces.get(space_name) or self._open(space_name, name)
        before = space.swap(name, item)
        if before is not None:
            was, was_rendered = before.value, before.fidelity is not _ARCHIVED
        elif item is None:
            return
        else:
            was, was_rendered = None, False
        will, will_be_rendered = (None, False) if item is None else (item.value, item.fidelity is not _ARCHIVED)
        self._count(space, name, before, item)
        if was != will:
            self._tree += (_term(key, will) if will else 0) - (_term(key, was) if was else 0)
        elif was_rendered is will_be_rendered:
            return
        comes = will if will_be_rendered else None
        outputs = record_outputs(self._values.get(comes)) if comes and space.layer == _HISTORY else None
        self._overlap.replace(space.layer, name, was if was_rendered else None, comes, outputs)

    def finish(self) -> Contents:
        spaces = self._contents.spaces
        for name, edit in self._spaces.items():
            space = edit.finish()
            if space is not None:
                spaces = spaces.set(name, space)
            elif name in spaces:
                spaces = spaces.delete(name)
        return Contents(self._tree & _TREE_MASK, spaces, self._overlap.finish())

    def _open(self, space_name: str, name: str) -> _SpaceEdit:
        space = self._contents.spaces.get(space_name)
        if space is None and Layer(space_name.partition(":")[0]) is Layer.EPHEMERAL:
            raise LayerRefused(space_name, name, "what is ephemeral is never part of a snapshot")
        edit = self._spaces[space_name] = _SpaceEdit(space_name, space or EMPTY_SPACE)
        return edit

    def _count(self, space: _SpaceEdit, name: str, before: Item | None, after: Item | None) -> None:
        """Take an item that leaves out of the totals, and add the one that comes."""
        values, totals = self._values, space.totals
        label_chars, label_tokens = len(name) + 2, values.tokens(f"{name}: ")
        for item, sign in ((before, -1), (after, 1)):
            if item is None:
                continue
            value, _, fidelity, _ = item
            chars, tokens = full_text_size(values, space.layer, value)
            totals[0] += sign
            totals[4] += sign * (label_chars + chars)
            totals[5] += sign * (label_tokens + tokens)
            if fidelity is _ARCHIVED:
                totals[1] += sign
                continue
            if fidelity is not _FULL:
                chars, tokens = shown_text_size(values, space.layer, item)
            totals[2] += sign * (label_chars + chars)
            totals[3] += sign * (label_tokens + tokens)


def _term(key: str, value_hash: str) -> int:
    """One entry's part of the tree hash; additive, so that a change costs what changed."""
    return int.from_bytes(sha256(f"{key}\0{value_hash}".encode()).digest(), "big")
