"""D2: what the agents of a branch see of the context before its split (Design: D2 split).

Hiding changes what is shown, never the values: expressions see everything, and a merge brings what was hidden back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from governance.compression.eligibility import RetainedNames
from governance.layers.limits import lasts
from governance.layers.spaces import space_for
from governance.snapshots.contents import Contents
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Commit, Item, Shown, key_of
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity, Layer, SplitStrategy

SPLIT_KIND: Final = "D2"
"""The kind of the commit that hides entries from the agents of a branch."""

_HIDDEN: Final = Shown(Fidelity.ARCHIVED)
_HIDING_LAYERS: Final = (Layer.KNOWLEDGE, Layer.HISTORY, Layer.WORKING)


def hidden_entries(
    contents: Contents, values: ValueStore, strategy: SplitStrategy, retain: tuple[str, ...], scope: str
) -> dict[str, Shown | None]:
    """What a split by `strategy` no longer shows, as a commit's `shown`; empty for INHERIT_ALL.

    INHERIT_RETAINED keeps entries of KNOWLEDGE, HISTORY and WORKING (of `scope`) that `retain` names or whose
    confidence is above 0.7; ISOLATED keeps none of these layers. SYSTEM and PROCESS always stay.
    """
    if strategy is SplitStrategy.INHERIT_ALL:
        return {}
    retained = RetainedNames(retain)
    keeps_sure = strategy is SplitStrategy.INHERIT_RETAINED
    return {
        key: _HIDDEN
        for key, name, item in _rendered(contents, scope)
        if not (keeps_sure and (name in retained or lasts(values, item)))
    }


def brought_back(graph: SnapshotGraph, merged: Contents, splits: Iterable[Commit]) -> dict[str, Shown | None]:
    """What a merge shows again of what `splits` had hidden from its branches, as a commit's `shown`.

    `splits` are the commits of SPLIT_KIND that not every head of the merge has seen. An entry that still has its value
    comes back as it was shown before it was hidden, unless `merged` shows more of it already.
    """
    found: dict[str, Item] = {}
    for split in splits:
        before = graph.contents(split.parents[0])
        for key in split.shown:
            now, then = found.get(key) or merged.item(key), before.item(key)
            if now is not None and then is not None and now.value == then.value and now.fidelity < then.fidelity:
                found[key] = then
    return {key: _as_shown(item) for key, item in found.items()}


def _rendered(contents: Contents, scope: str) -> Iterator[tuple[str, str, Item]]:
    for layer in _HIDING_LAYERS:
        space = space_for(layer, scope)
        for name, item in contents.space(space).rendered.items():
            yield key_of(space, name), name, item


def _as_shown(item: Item) -> Shown | None:
    return None if item.fidelity is Fidelity.FULL else Shown(item.fidelity, item.text)
