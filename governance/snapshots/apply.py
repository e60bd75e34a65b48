"""Growing contents by a commit. The cost is that of the keys in it; totals, tree and overlap follow each key."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from immutables import Map, MapMutation

from governance.errors import LayerRefused
from governance.snapshots.contents import EMPTY_SPACE, Contents, Space, Totals
from governance.snapshots.model import LAYERS, Item, Shown, Write, made
from governance.snapshots.overlap import INDEX, Entries, OverlapEdit
from governance.snapshots.render import full_text_size, record_outputs, shown_text_size
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity, Layer

_TREE_MASK = (1 << 256) - 1
_FULL, _SUMMARY, _KEY_ONLY, _ARCHIVED = Fidelity.FULL, Fidelity.SUMMARY, Fidelity.KEY_ONLY, Fidelity.ARCHIVED
_HISTORY = Layer.HISTORY.value


def apply(
    contents: Contents, values: ValueStore, writes: Mapping[str, Write], shown: Mapping[str, Shown | None]
) -> Contents:
    """The contents after `writes`, then `shown`.

    A written key is FULL unless `shown` has it; a Write without a value deletes it; a shown key that does not stand is
    passed over.
    """
    overlap = OverlapEdit(contents.overlap)
    spaces: dict[str, _SpaceEdit] = {}
    tree = contents.tree
    for key, (value, meta, _) in writes.items():
        space_name, _, name = key.partition("/")
        space = spaces.get(space_name)
        if space is None:
            space = spaces[space_name] = _open(contents, space_name, name, values, overlap)
        before = space.upper.get(name) or space.archived.get(name) or space.key_only.get(name)
        if before is not None:
            tree -= _term(key, before.value)
            space.remove(name, before)
        if value is not None:
            tree += _term(key, value)
            space.add(name, shown_item(value, meta, shown.get(key)))
    for key, entry in shown.items():
        if key in writes:
            continue
        space_name, _, name = key.partition("/")
        space = spaces.get(space_name)
        if space is None:
            space = spaces[space_name] = _open(contents, space_name, name, values, overlap)
        before = space.upper.get(name) or space.archived.get(name) or space.key_only.get(name)
        if before is not None:
            space.show(name, before, shown_item(before.value, before.meta, entry))
    return Contents(tree & _TREE_MASK, _finished(contents.spaces, spaces), overlap.finish())


def shown_item(value: str, meta: str, shown: Shown | None) -> Item:
    """An entry that is shown that way; None: FULL."""
    if shown is None or shown.fidelity is _FULL:
        return made(Item, (value, meta, _FULL, None))
    return made(Item, (value, meta, *shown))


def _open(contents: Contents, space_name: str, name: str, values: ValueStore, overlap: OverlapEdit) -> _SpaceEdit:
    space = contents.spaces.get(space_name)
    layer = space_name.partition(":")[0]
    if space is None and LAYERS[layer] is Layer.EPHEMERAL:
        raise LayerRefused(space_name, name, "what is ephemeral is never part of a snapshot")
    return _SpaceEdit(layer, space or EMPTY_SPACE, values, overlap)


def _finished(spaces: Map[str, Space], edits: Mapping[str, _SpaceEdit]) -> Map[str, Space]:
    """The spaces after the edits; one in which nothing stands is left out."""
    for name, edit in edits.items():
        totals = edit.totals
        if totals[0]:
            parts = (edit.upper.finish(), edit.key_only, edit.archived, made(Totals, totals))
            spaces = spaces.set(name, made(Space, parts))
        elif name in spaces:
            spaces = spaces.delete(name)
    return spaces


class _SpaceEdit:
    """One space while it changes; its totals and the overlap follow. A step spends most of its time in here."""

    __slots__ = (
        "_full_sizes", "_index", "_labels", "_layer", "_overlap", "_values", "archived", "key_only", "totals", "upper",
    )  # fmt: skip

    def __init__(self, layer: str, space: Space, values: ValueStore, overlap: OverlapEdit) -> None:
        upper, self.key_only, self.archived, totals = space
        self.upper: MapMutation[str, Item] = upper.mutate()
        self.totals = [*totals]
        self._layer, self._values, self._overlap = layer, values, overlap
        self._full_sizes = values.record_sizes if layer == _HISTORY else values.sizes
        self._labels = values.labels
        self._index = INDEX.get(layer)

    def add(self, name: str, item: Item) -> None:
        """A value where none stands."""
        value, totals = item.value, self.totals
        chars, tokens = self._full_sizes.get(value) or full_text_size(self._values, self._layer, value)
        chars += len(name) + 2
        tokens += (self._labels.get(name) or self._values.label_tokens(name))
        totals[0] += 1
        totals[4] += chars
        totals[5] += tokens
        if item.fidelity is not _FULL:
            self._put_less(name, item)
            return
        self.upper[name] = item
        totals[2] += chars
        totals[3] += tokens
        if self._index is not None:
            self._overlap.enter(self._index, name, value, self._outputs(value))

    def remove(self, name: str, item: Item) -> None:
        """A value goes."""
        value, totals = item.value, self.totals
        chars, tokens = self._full_sizes.get(value) or full_text_size(self._values, self._layer, value)
        chars += len(name) + 2
        tokens += (self._labels.get(name) or self._values.label_tokens(name))
        totals[0] -= 1
        totals[4] -= chars
        totals[5] -= tokens
        if item.fidelity is not _FULL:
            self._take_less(name, item)
            return
        del self.upper[name]
        totals[2] -= chars
        totals[3] -= tokens
        if self._index is not None:
            self._overlap.leave(self._index, name, value)

    def show(self, name: str, before: Item, after: Item) -> None:
        """The same value is shown in another way."""
        if before.fidelity < _SUMMARY or after.fidelity < _SUMMARY:
            self._take_less(name, before)
            self._put_less(name, after)
            return
        self.upper[name] = after
        values, layer, totals = self._values, self._layer, self.totals
        old_chars, old_tokens = shown_text_size(values, layer, before)
        new_chars, new_tokens = shown_text_size(values, layer, after)
        totals[2] += new_chars - old_chars
        totals[3] += new_tokens - old_tokens

    def _put_less(self, name: str, item: Item) -> None:
        """What is shown of an item comes in, at any fidelity."""
        fidelity, totals = item.fidelity, self.totals
        if fidelity is _ARCHIVED:
            self.archived = self.archived.set(name, item)
            totals[1] += 1
            return
        if fidelity is _KEY_ONLY:
            self.key_only = self.key_only.set(name, item)
        else:
            self.upper[name] = item
        chars, tokens = shown_text_size(self._values, self._layer, item)
        totals[2] += chars + len(name) + 2
        totals[3] += tokens + (self._labels.get(name) or self._values.label_tokens(name))
        if self._index is not None:
            self._overlap.enter(self._index, name, item.value, self._outputs(item.value))

    def _take_less(self, name: str, item: Item) -> None:
        """What is shown of an item goes, at any fidelity."""
        fidelity, totals = item.fidelity, self.totals
        if fidelity is _ARCHIVED:
            self.archived = self.archived.delete(name)
            totals[1] -= 1
            return
        if fidelity is _KEY_ONLY:
            self.key_only = self.key_only.delete(name)
        else:
            del self.upper[name]
        chars, tokens = shown_text_size(self._values, self._layer, item)
        totals[2] -= chars + len(name) + 2
        totals[3] -= tokens + (self._labels.get(name) or self._values.label_tokens(name))
        if self._index is not None:
            self._overlap.leave(self._index, name, item.value)

    def _outputs(self, value_hash: str) -> Entries | None:
        return record_outputs(self._values.get(value_hash)) if self._layer == _HISTORY else None


def _term(key: str, value_hash: str) -> int:
    """One entry's part of the tree hash; additive, so that a change costs what changed."""
    return int.from_bytes(sha256(f"{key}\0{value_hash}".encode()).digest(), "big")
