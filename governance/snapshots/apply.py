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
_FULL, _KEY_ONLY, _ARCHIVED = Fidelity.FULL, Fidelity.KEY_ONLY, Fidelity.ARCHIVED
_HISTORY = Layer.HISTORY.value


def apply(
    contents: Contents, values: ValueStore, writes: Mapping[str, Write], shown: Mapping[str, Shown | None]
) -> Contents:
    """The contents after `writes`, then `shown`.

    A written key is FULL unless `shown` has it; a Write without a value deletes it; a shown key that does not stand is
    passed over.
    """
    edit = _Edit(contents, values)
    for key, (value, meta, _) in writes.items():
        edit.write(key, None if value is None else _item(value, meta, shown.get(key)))
    for key, entry in shown.items():
        if key not in writes:
            edit.show(key, entry)
    return edit.finish()


def _item(value: str, meta: str, shown: Shown | None) -> Item:
    if shown is None or shown.fidelity is _FULL:
        return Item(value, meta)
    return Item(value, meta, *shown)


class _SpaceEdit:
    """One space while it changes."""

    __slots__ = ("_values", "archived", "key_only", "layer", "totals", "upper")

    def __init__(self, name: str, space: Space, values: ValueStore) -> None:
        self.layer = name.partition(":")[0]
        self.upper: MapMutation[str, Item] = space.upper.mutate()
        self.key_only: Map[str, Item] = space.key_only
        self.archived: Map[str, Item] = space.archived
        self.totals = list(space.totals)
        self._values = values

    def item(self, name: str) -> Item | None:
        return self.upper.get(name) or self.archived.get(name) or self.key_only.get(name)

    def take(self, name: str, item: Item, *, for_good: bool) -> str | None:
        """Take out an item, or only what is shown of it unless `for_good`; its value if that was rendered."""
        fidelity = item.fidelity
        if fidelity is _ARCHIVED:
            self.archived = self.archived.delete(name)
        elif fidelity is _KEY_ONLY:
            self.key_only = self.key_only.delete(name)
        else:
            del self.upper[name]
        return self._count(name, item, -1, for_good)

    def put(self, name: str, item: Item, *, is_new: bool) -> str | None:
        """Put in an item, or only what is shown of it unless `is_new`; its value if that is rendered now."""
        fidelity = item.fidelity
        if fidelity is _ARCHIVED:
            self.archived = self.archived.set(name, item)
        elif fidelity is _KEY_ONLY:
            self.key_only = self.key_only.set(name, item)
        else:
            self.upper[name] = item
        return self._count(name, item, 1, is_new)

    def _count(self, name: str, item: Item, sign: int, whole: bool) -> str | None:
        """Add to the totals (1), or take out of them (-1); the item's value if it is rendered."""
        values, totals, fidelity = self._values, self.totals, item.fidelity
        label_chars, label_tokens = len(name) + 2, values.tokens(f"{name}: ")
        if whole:
            chars, tokens = full_text_size(values, self.layer, item.value)
            totals[0] += sign
            totals[4] += sign * (label_chars + chars)
            totals[5] += sign * (label_tokens + tokens)
        if fidelity is _ARCHIVED:
            totals[1] += sign
            return None
        chars, tokens = shown_text_size(values, self.layer, item)
        totals[2] += sign * (label_chars + chars)
        totals[3] += sign * (label_tokens + tokens)
        return item.value

    def finish(self) -> Space | None:
        """The changed space; None if nothing stands in it."""
        if not self.totals[0]:
            return None
        return Space(self.upper.finish(), self.key_only, self.archived, Totals._make(self.totals))


class _Edit:
    """Contents while they change."""

    __slots__ = ("_contents", "_overlap", "_spaces", "_tree", "_values")

    def __init__(self, contents: Contents, values: ValueStore) -> None:
        self._contents, self._values = contents, values
        self._tree = contents.tree
        self._overlap = OverlapEdit(contents.overlap)
        self._spaces: dict[str, _SpaceEdit] = {}

    def write(self, key: str, item: Item | None) -> None:
        """Put `item` in the place of what stands under the key; None leaves the place empty."""
        space_name, _, name = key.partition("/")
        space = self._spaces.get(space_name) or self._open(space_name, name)
        before = space.item(name)
        was = will = None
        if before is not None:
            was = space.take(name, before, for_good=True)
            self._tree -= _term(key, before.value)
        if item is not None:
            will = space.put(name, item, is_new=True)
            self._tree += _term(key, item.value)
        self._duplicates(space.layer, name, was, will)

    def show(self, key: str, shown: Shown | None) -> None:
        """Show something else of what stands under the key, if anything does."""
        space_name, _, name = key.partition("/")
        space = self._spaces.get(space_name) or self._open(space_name, name)
        before = space.item(name)
        if before is not None:
            was = space.take(name, before, for_good=False)
            will = space.put(name, _item(before.value, before.meta, shown), is_new=False)
            self._duplicates(space.layer, name, was, will)

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
        edit = self._spaces[space_name] = _SpaceEdit(space_name, space or EMPTY_SPACE, self._values)
        return edit

    def _duplicates(self, layer: str, name: str, was: str | None, will: str | None) -> None:
        """The rendered value `will` took the place of `was`."""
        if was != will:
            outputs = record_outputs(self._values.get(will)) if will and layer == _HISTORY else None
            self._overlap.replace(layer, name, was, will, outputs)


def _term(key: str, value_hash: str) -> int:
    """One entry's part of the tree hash; additive, so that a change costs what changed."""
    return int.from_bytes(sha256(f"{key}\0{value_hash}".encode()).digest(), "big")
