"""An entry while D1 plans: what stands in the snapshot, and what would be shown of it instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from governance.compression.decisions import Change, D1Request
from governance.compression.eligibility import Hold, RetainedNames
from governance.snapshots.model import Item, key_of
from governance.snapshots.render import full_text_size, line_size, shown_text_size
from governance.snapshots.values import Size, ValueStore
from governance.vocabulary import Fidelity


@dataclass(slots=True, eq=False)
class Entry:
    """A rendered entry. `fidelity`, `text` and `shown` change as passes lower it; `item` and `full` never do.

    `text` is None as long as the entry is shown as it stands. Sizes are those of whole lines.
    """

    key: str
    space: str
    name: str
    item: Item
    hold: Hold | None
    short: bool
    full: Size
    stood: Size
    fidelity: Fidelity
    shown: Size
    text: str | None = None

    @property
    def change(self) -> Change | None:
        if self.fidelity is self.item.fidelity:
            return None
        return Change(self.key, self.item.fidelity, self.fidelity, self.stood.chars, self.shown.chars)


def entries_of(
    values: ValueStore, space: str, items: Mapping[str, Item], request: D1Request, short_chars: int
) -> Iterator[Entry]:
    """The items of a space as entries, by name, with what holds them."""
    retained = RetainedNames(request.policy.retain_keys)
    inputs = request.inputs if space == request.working else frozenset()
    pinned, lowered = request.pinned, request.lowered
    for name, item in sorted(items.items()):
        key = key_of(space, name)
        full = line_size(values, name, full_text_size(values, space, item.value))
        stood = full if item.fidelity is Fidelity.FULL else _shown_size(values, space, name, item)
        short = full.chars < short_chars
        hold = None
        if retained and name in retained and name not in request.released:
            hold = Hold.RETAINED
        elif key in pinned:
            hold = Hold.PINNED
        elif name in inputs:
            hold = Hold.INPUT
        elif key in lowered:
            hold = Hold.LOWERED
        elif short:
            hold = Hold.SHORT
        yield Entry(key, space, name, item, hold, short, full, stood, item.fidelity, stood)


def _shown_size(values: ValueStore, space: str, name: str, item: Item) -> Size:
    if item.fidelity is Fidelity.ARCHIVED:
        return Size(0, 0)
    return line_size(values, name, shown_text_size(values, space, item))
