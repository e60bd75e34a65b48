"""Entries as what is scored: the terms of their lines, each text split once however often it is looked at."""

from __future__ import annotations

from typing import Final

from governance.similarity.bm25 import Counted
from governance.snapshots.model import Item
from governance.snapshots.render import render_line
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity

_NOTHING: Final = Counted({}, 0)


def counted_line(values: ValueStore, key: str, item: Item) -> Counted:
    """The terms of what `render_line` gives. Raises UnknownValue."""
    if item.fidelity is Fidelity.ARCHIVED:
        return _NOTHING
    known = values.derived("counted lines")
    name = f"{key}={item.value}" if item.text is None else f"{key}~{item.text}"
    found: Counted | None = known.get(name)
    if found is None:
        found = known[name] = Counted.of(render_line(values, key, item))
    return found
