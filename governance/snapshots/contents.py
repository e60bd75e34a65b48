"""The entries of a snapshot, materialised: immutable, sharing structure with the snapshot it grew from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from immutables import Map

from governance.snapshots.model import Item
from governance.snapshots.overlap import NO_OVERLAP, Overlap, OverlapEdit
from governance.vocabulary import Fidelity, Layer


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
    """A layer, or one variable scope of WORKING: its items by name, in the map of how they are shown.

    `upper` holds those at FULL and SUMMARY. They are few however long an instance runs, where old decisions stay at
    KEY_ONLY.
    """

    upper: Map[str, Item] = Map()
    key_only: Map[str, Item] = Map()
    archived: Map[str, Item] = Map()
    totals: Totals = Totals()

    @property
    def rendered(self) -> Map[str, Item]:
        """All that is not archived. Cost: what is at KEY_ONLY."""
        return self.upper.update(self.key_only) if self.key_only else self.upper

    def item(self, name: str) -> Item | None:
        return self.upper.get(name) or self.archived.get(name) or self.key_only.get(name)

    def names(self) -> Iterator[str]:
        """Names of all, archived ones too, in no order."""
        return chain(self.upper, self.key_only, self.archived)


EMPTY_SPACE = Space()
_NO_SPACES: Map[str, Space] = Map()


class Contents:
    """All spaces of a snapshot; a space without entries is absent. Equal if every entry is, as shown.

    `tree` is an additive hash over (key, value hash): two contents with equal values have equal trees, whatever
    their metadata and fidelity.
    """

    __slots__ = ("overlap", "spaces", "tree")

    def __init__(self, tree: int = 0, spaces: Map[str, Space] = _NO_SPACES, overlap: Overlap = NO_OVERLAP) -> None:
        self.tree, self.spaces, self.overlap = tree, spaces, overlap

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Contents):
            return NotImplemented
        return self.tree == other.tree and self.spaces == other.spaces and self.overlap == other.overlap

    def item(self, key: str) -> Item | None:
        space_name, _, name = key.partition("/")
        return self.spaces.get(space_name, EMPTY_SPACE).item(name)

    def space(self, name: str) -> Space:
        """The space, an empty one if it has no entries."""
        return self.spaces.get(name, EMPTY_SPACE)

    def items(self, space: str) -> Iterator[tuple[str, Item]]:
        """(name, item) of a space, archived ones too, sorted by name."""
        found = self.space(space)
        for name in self.names(space):
            item = found.item(name)
            assert item is not None
            yield name, item

    def names(self, space: str) -> list[str]:
        """Names in a space, archived ones too, sorted."""
        return sorted(self.space(space).names())

    def layer_totals(self, layer: Layer) -> Totals:
        """Sums over a layer; WORKING with all its scopes."""
        spaces = [space.totals for name, space in self.spaces.items() if name.partition(":")[0] == layer]
        return Totals(*map(sum, zip(*spaces, strict=True))) if spaces else Totals()

    def dump(self) -> dict[str, Any]:
        """A JSON-able checkpoint, the same for equal contents.

        Shape: {"tree": hex, "metas": [hash], "spaces": {space: {"totals": [6 integers], "items": {name:
        [value hash, index in metas, fidelity and text hash unless FULL]}}}, "records": {HISTORY name: {output: hash}}}.
        """
        metas = sorted({item.meta for space in self.spaces for _, item in self.items(space)})
        index = {meta: position for position, meta in enumerate(metas)}
        return {
            "tree": f"{self.tree:x}",
            "metas": metas,
            "spaces": {
                space: {
                    "totals": list(self.spaces[space].totals),
                    "items": {name: _dump_item(item, index) for name, item in self.items(space)},
                }
                for space in sorted(self.spaces)
            },
            "records": {name: dict(self.overlap.records[name]) for name in sorted(self.overlap.records)},
        }

    @classmethod
    def load(cls, dump: Mapping[str, Any]) -> Contents:
        """Contents from a checkpoint, without reading any value."""
        records = {name: tuple(outputs.items()) for name, outputs in dump["records"].items()}
        overlap = OverlapEdit(NO_OVERLAP)
        spaces: dict[str, Space] = {}
        for space, content in dump["spaces"].items():
            layer = space.partition(":")[0]
            items = {name: _load_item(entry, dump["metas"]) for name, entry in content["items"].items()}
            rungs: dict[Fidelity, dict[str, Item]] = {fidelity: {} for fidelity in Fidelity}
            for name, item in items.items():
                rungs[item.fidelity][name] = item
            upper = Map(rungs[Fidelity.FULL] | rungs[Fidelity.SUMMARY])
            key_only, archived = Map(rungs[Fidelity.KEY_ONLY]), Map(rungs[Fidelity.ARCHIVED])
            spaces[space] = Space(upper, key_only, archived, Totals(*content["totals"]))
            for name, item in spaces[space].rendered.items():
                overlap.replace(layer, name, None, item.value, records.get(name) if layer == Layer.HISTORY else None)
        return cls(int(dump["tree"], 16), Map(spaces), overlap.finish())


def _dump_item(item: Item, metas: Mapping[str, int]) -> list[Any]:
    entry = [item.value, metas[item.meta]]
    if item.fidelity is not Fidelity.FULL:
        entry += [item.fidelity.value] if item.text is None else [item.fidelity.value, item.text]
    return entry


def _load_item(entry: list[Any], metas: list[str]) -> Item:
    value, meta, *rest = entry
    return Item(value, metas[meta], Fidelity(rest[0]), *rest[1:]) if rest else Item(value, metas[meta])
