"""The entries of a snapshot, materialised: immutable, sharing structure with the snapshot it grew from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from immutables import Map

from governance.snapshots.model import Item
from governance.snapshots.overlap import Overlap
from governance.vocabulary import Layer


class Totals(NamedTuple):
    """Sums over a space. `entries` counts all, `archived` those of them that are not rendered.

    `chars` and `tokens` are of the lines as shown (archived: 0), the `full_` ones of the lines with full values.
    """

    entries: int = 0
    archived: int = 0
    chars: int = 0
    tokens: int = 0
    full_chars: int = 0
    full_tokens: int = 0


class Space(NamedTuple):
    """A layer, or one variable scope of WORKING: its items by name."""

    rendered: Map[str, Item] = Map()
    archived: Map[str, Item] = Map()
    totals: Totals = Totals()


class Contents:
    """All spaces of a snapshot; a space without entries is absent.

    `tree` is an additive hash over (key, value hash): two contents with equal values have equal trees, whatever
    their metadata and fidelity.
    """

    tree: int
    spaces: Map[str, Space]
    overlap: Overlap

    def item(self, key: str) -> Item | None:
        raise NotImplementedError

    def space(self, name: str) -> Space:
        """The space, an empty one if it has no entries."""
        raise NotImplementedError

    def names(self, space: str) -> list[str]:
        """Names in a space, archived ones too, sorted."""
        raise NotImplementedError

    def layer_totals(self, layer: Layer) -> Totals:
        """Sums over a layer; WORKING with all its scopes."""
        raise NotImplementedError

    def dump(self) -> dict[str, Any]:
        """A JSON-able checkpoint, the same for equal contents."""
        raise NotImplementedError

    @classmethod
    def load(cls, dump: Mapping[str, Any]) -> Contents:
        """Contents from a checkpoint, without reading any value."""
        raise NotImplementedError
