"""D2: what the agents of a branch see of the context before its split (Design: D2 split).

Hiding changes what is shown, never the values: expressions see everything, and a merge brings what was hidden back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from governance.compression.eligibility import RetainedNames
from governance.layers.limits import lasts
from governance.layers.spaces import space_for
from governance.snapshots.contents import Contents
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Item, Shown, key_of
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


def hidden_in(graph: SnapshotGraph, head: str) -> frozenset[str]:
    """What splits on the way to `head` hid and nothing has brought back since. Cost: the commits on that way."""
    contents, hidden = graph.contents(head), set[str]()
    snapshot: str | None = head
    while snapshot is not None:
        commit = graph.get(snapshot)
        if commit.meta.kind == SPLIT_KIND:
            hidden.update(commit.shown)
        snapshot = commit.parents[0] if commit.parents else None
    items = ((key, contents.item(key)) for key in hidden)
    return frozenset(key for key, item in items if item is not None and item.fidelity is Fidelity.ARCHIVED)


def _rendered(contents: Contents, scope: str) -> Iterator[tuple[str, str, Item]]:
    for layer in _HIDING_LAYERS:
        space = space_for(layer, scope)
        for name, item in contents.space(space).rendered.items():
            yield key_of(space, name), name, item
