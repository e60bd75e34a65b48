"""The entries of a snapshot, materialised: immutable, sharing structure with the snapshot it grew from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
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


NO_TOTALS = Totals()


class Space(NamedTuple):
    """A layer, or one variable scope of WORKING: its items by name, in the map of how they are shown.

    `upper` holds those at FULL and SUMMARY. They are few however long an instance runs, where old decisions stay at
    KEY_ONLY.
    """

    upper: Map[str, Item] = Map()
    key_only: Map[str, Item] = Map()
    archived: Map[str, Item] = Map()
    totals: Totals = NO_TOTALS

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
_TREE_MASK = (1 << 256) - 1
_NO_SPACES: Map[str, Space] = Map()


class Contents:
    """All spaces of a snapshot; a space without entries is absent. Equal if every entry is, as shown."""

    __slots__ = ("overlap", "spaces")

    def __init__(self, spaces: Map[str, Space] = _NO_SPACES, overlap: Overlap = NO_OVERLAP) -> None:
        self.spaces, self.overlap = spaces, overlap

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Contents):
            return NotImplemented
        return self.spaces == other.spaces and self.overlap == other.overlap

    @property
    def tree(self) -> int:
        """A hash over (key, value hash): contents with equal values have equal trees, whatever metadata and fidelity.

        Additive, so that it does not hang on any order. Cost: the entries.
        """
        terms = (_term(f"{space}/{name}", item.value) for space in self.spaces for name, item in self.items(space))
        return sum(terms) & _TREE_MASK

    def item(self, key: str) -> Item | None:
        space_name, _, name = key.partition("/")
        return self.spaces.get(space_name, EMPTY_SPACE).item(name)

    def named(self, space: str, name: str) -> Item | None:
        """The same for a space and a name in it."""
        return self.spaces.get(space, EMPTY_SPACE).item(name)

    def totals(self, space: str) -> Totals:
        """Sums over a space."""
        found = self.spaces.get(space)
        return NO_TOTALS if found is None else found.totals

    def tokens(self, spaces: Iterable[str]) -> int:
        """Tokens of the lines of these spaces as shown."""
        all_spaces = self.spaces
        return sum([all_spaces[name].totals.tokens for name in spaces if name in all_spaces])

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

        Shape: {"metas": [hash], "spaces": {space: {"totals": [6 integers], "items": {name:
        [value hash, index in metas, fidelity and text hash unless FULL]}}}, "records": {HISTORY name: {output: hash}}}.
        """
        metas = sorted({item.meta for space in self.spaces for _, item in self.items(space)})
        index = {meta: position for position, meta in enumerate(metas)}
        return {
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
        return cls(Map(spaces), overlap.finish())


def _term(key: str, value_hash: str) -> int:
    """One entry's part of the tree hash."""
    return int.from_bytes(sha256(f"{key}\0{value_hash}".encode()).digest(), "big")


def _dump_item(item: Item, metas: Mapping[str, int]) -> list[Any]:
    entry = [item.value, metas[item.meta]]
    if item.fidelity is not Fidelity.FULL:
        entry += [item.fidelity.value] if item.text is None else [item.fidelity.value, item.text]
    return entry


def _load_item(entry: list[Any], metas: list[str]) -> Item:
    value, meta, *rest = entry
    return Item(value, metas[meta], Fidelity(rest[0]), *rest[1:]) if rest else Item(value, metas[meta])
