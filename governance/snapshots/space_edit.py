"""One space of a snapshot while it changes; its totals and the overlap follow each entry."""

from __future__ import annotations

from governance.snapshots.contents import Space, Totals
from governance.snapshots.model import Item, made
from governance.snapshots.overlap import INDEX, OverlapEdit
from governance.snapshots.render import full_text_size, outputs_of, shown_text_size
from governance.snapshots.values import Entries, ValueStore
from governance.vocabulary import Fidelity, Layer

_FULL, _KEY_ONLY, _ARCHIVED = Fidelity.FULL, Fidelity.KEY_ONLY, Fidelity.ARCHIVED
_HISTORY = Layer.HISTORY.value


class SpaceEdit:
    """What changed on top of a space, by name; None: it is gone. A step spends much of its time in here.

    What is written and shown again and again until `finish` costs the immutable maps one change.
    """

    __slots__ = ("_changed", "_full_sizes", "_index", "_labels", "_layer", "_overlap", "_space", "_values", "sums")

    def __init__(self, layer: str, space: Space, values: ValueStore, overlap: OverlapEdit) -> None:
        self._space, self.sums = space, [*space.totals]
        self._changed: dict[str, Item | None] = {}
        self._layer, self._values, self._overlap = layer, values, overlap
        self._full_sizes = values.record_sizes if layer == _HISTORY else values.sizes
        self._labels = values.labels
        self._index = INDEX.get(layer)

    @property
    def totals(self) -> Totals:
        """What `sums` says by now."""
        return made(Totals, self.sums)

    def item(self, name: str) -> Item | None:
        changed = self._changed
        if name in changed:
            return changed[name]
        upper, key_only, archived, _ = self._space
        return upper.get(name) or archived.get(name) or key_only.get(name)

    def add(self, name: str, item: Item) -> None:
        """A value where none stands."""
        value, totals = item.value, self.sums
        chars, tokens = self._full_sizes.get(value) or full_text_size(self._values, self._layer, value)
        chars += len(name) + 2
        tokens += self._labels.get(name) or self._values.label_tokens(name)
        totals[0] += 1
        totals[4] += chars
        totals[5] += tokens
        self._changed[name] = item
        if item.fidelity is not _FULL:
            self._show_less(name, item)
            return
        totals[2] += chars
        totals[3] += tokens
        if self._index is not None:
            self._overlap.enter(self._index, name, value, self._outputs(value))

    def remove(self, name: str, item: Item) -> None:
        """A value goes."""
        value, totals = item.value, self.sums
        chars, tokens = self._full_sizes.get(value) or full_text_size(self._values, self._layer, value)
        chars += len(name) + 2
        tokens += self._labels.get(name) or self._values.label_tokens(name)
        totals[0] -= 1
        totals[4] -= chars
        totals[5] -= tokens
        self._changed[name] = None
        if item.fidelity is not _FULL:
            self._show_no_more(name, item)
            return
        totals[2] -= chars
        totals[3] -= tokens
        if self._index is not None:
            self._overlap.leave(self._index, name, value)

    def show(self, name: str, before: Item, after: Item) -> None:
        """The same value is shown in another way."""
        self._changed[name] = after
        if before.fidelity is _ARCHIVED or after.fidelity is _ARCHIVED:
            self._show_no_more(name, before)
            self._show_less(name, after)
            return
        values, layer, totals = self._values, self._layer, self.sums
        old_chars, old_tokens = shown_text_size(values, layer, before)
        new_chars, new_tokens = shown_text_size(values, layer, after)
        totals[2] += new_chars - old_chars
        totals[3] += new_tokens - old_tokens

    def finish(self) -> Space | None:
        """The space after all changes, None if nothing stands in it. Cost: the names that changed."""
        if not self.sums[0]:
            return None
        upper, key_only, archived, _ = self._space
        rungs = (upper.mutate(), key_only.mutate(), archived.mutate())
        for name, item in self._changed.items():
            for rung in rungs:
                if name in rung:
                    del rung[name]
            if item is not None:
                fidelity = item.fidelity
                rungs[2 if fidelity is _ARCHIVED else 1 if fidelity is _KEY_ONLY else 0][name] = item
        return made(Space, (rungs[0].finish(), rungs[1].finish(), rungs[2].finish(), self.totals))

    def _show_less(self, name: str, item: Item) -> None:
        """What is shown of an item comes in, at any fidelity."""
        totals = self.sums
        if item.fidelity is _ARCHIVED:
            totals[1] += 1
            return
        chars, tokens = shown_text_size(self._values, self._layer, item)
        totals[2] += chars + len(name) + 2
        totals[3] += tokens + (self._labels.get(name) or self._values.label_tokens(name))
        if self._index is not None:
            self._overlap.enter(self._index, name, item.value, self._outputs(item.value))

    def _show_no_more(self, name: str, item: Item) -> None:
        """What is shown of an item goes, at any fidelity."""
        totals = self.sums
        if item.fidelity is _ARCHIVED:
            totals[1] -= 1
            return
        chars, tokens = shown_text_size(self._values, self._layer, item)
        totals[2] -= chars + len(name) + 2
        totals[3] -= tokens + (self._labels.get(name) or self._values.label_tokens(name))
        if self._index is not None:
            self._overlap.leave(self._index, name, item.value)

    def _outputs(self, value_hash: str) -> Entries | None:
        """Of a HISTORY record; None for any other value."""
        return outputs_of(self._values, value_hash) if self._layer == _HISTORY else None
