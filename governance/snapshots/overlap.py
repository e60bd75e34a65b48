"""Duplication between layers, counted as entries come and go (Design: attention, duplication).

An entry is a (name, value hash) in one of three layers. It is duplicated if its name, or its hash, stands in another of
them. A name spans if it stands in two layers or more, and so for a hash: the entries of a spanning name are all
duplicated, and of any other name those whose hash spans. Kept per name: its entries per layer, and how many of them
have a spanning hash. Kept per hash: its entries per layer, and the names that hold it. A change of an entry then
touches one name and one hash; only when a hash begins or ceases to span are its other holders visited.
"""

from __future__ import annotations

from typing import NamedTuple

from immutables import Map

Entries = tuple[tuple[str, str], ...]

_LAYERS = {"KNOWLEDGE": 0, "HISTORY": 1, "WORKING": 2}
_HISTORY, _WORKING = _LAYERS["HISTORY"], _LAYERS["WORKING"]


class _Holders(NamedTuple):
    """Where a value hash stands: its entries per layer, and per name."""

    layers: tuple[int, int, int] = (0, 0, 0)
    names: Map[str, int] = Map()


class _Uses(NamedTuple):
    """Where a name stands: its entries per layer, and how many of them have a hash that spans."""

    layers: tuple[int, int, int] = (0, 0, 0)
    shared: int = 0

    @property
    def duplicated(self) -> int:
        return sum(self.layers) if _spans(self.layers) else self.shared


_NO_HOLDERS, _NO_USES = _Holders(), _Uses()


class Overlap:
    """How many rendered entries of KNOWLEDGE, HISTORY and WORKING (all scopes) stand in another of these layers.

    `duplicated` of `entries` have a name or a value hash that another of the three layers has too. A HISTORY record
    counts as one entry per output; `records` has the outputs of each. Immutable.
    """

    __slots__ = ("_by_hash", "_by_name", "duplicated", "entries", "records")

    def __init__(
        self,
        entries: int,
        duplicated: int,
        by_name: Map[str, _Uses],
        by_hash: Map[str, _Holders],
        records: Map[str, Entries],
    ) -> None:
        self.entries, self.duplicated, self.records = entries, duplicated, records
        self._by_name, self._by_hash = by_name, by_hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Overlap):
            return NotImplemented
        return all(getattr(self, slot) == getattr(other, slot) for slot in self.__slots__)


NO_OVERLAP = Overlap(0, 0, Map(), Map(), Map())


class OverlapEdit:
    """Takes entries in and out of an overlap; `finish` gives the new one."""

    def __init__(self, overlap: Overlap) -> None:
        self._entries, self._duplicated = overlap.entries, overlap.duplicated
        self._by_name, self._by_hash = overlap._by_name.mutate(), overlap._by_hash.mutate()
        self._records = overlap.records

    def add(self, layer: str, name: str, value_hash: str, outputs: Entries | None = None) -> None:
        """A rendered item came; `outputs` are those of a HISTORY record, None for any other item."""
        index = _LAYERS.get(layer)
        if index is None:
            return
        if outputs is None:
            self._step(index, name, value_hash, 1)
            return
        self._records = self._records.set(name, outputs)
        for output, output_hash in outputs:
            self._step(index, output, output_hash, 1)

    def remove(self, layer: str, name: str, value_hash: str) -> None:
        """A rendered item left."""
        index = _LAYERS.get(layer)
        if index is None:
            return
        outputs = self._records.get(name) if index == _HISTORY else None
        if outputs is None:
            self._step(index, name, value_hash, -1)
            return
        self._records = self._records.delete(name)
        for output, output_hash in outputs:
            self._step(index, output, output_hash, -1)

    def finish(self) -> Overlap:
        return Overlap(self._entries, self._duplicated, self._by_name.finish(), self._by_hash.finish(), self._records)

    def _step(self, index: int, name: str, value_hash: str, step: int) -> None:
        """One entry more or less."""
        self._entries += step
        holders = self._by_hash.get(value_hash, _NO_HOLDERS)
        layers = _stepped(holders.layers, index, step)
        spans = _spans(layers)
        if spans is not _spans(holders.layers):
            self._share(holders.names, 1 if spans else -1)
        self._hold(value_hash, layers, holders.names, name, step)
        uses = self._by_name.get(name, _NO_USES)
        self._use(name, uses, _Uses(_stepped(uses.layers, index, step), uses.shared + step if spans else uses.shared))

    def _share(self, names: Map[str, int], sign: int) -> None:
        """A hash begins (1) or ceases (-1) to span: its entries under each name follow."""
        for name, count in names.items():
            uses = self._by_name[name]
            self._use(name, uses, _Uses(uses.layers, uses.shared + sign * count))

    def _hold(self, value_hash: str, layers: tuple[int, int, int], names: Map[str, int], name: str, step: int) -> None:
        if layers == (0, 0, 0):
            del self._by_hash[value_hash]
            return
        count = names.get(name, 0) + step
        self._by_hash[value_hash] = _Holders(layers, names.set(name, count) if count else names.delete(name))

    def _use(self, name: str, before: _Uses, after: _Uses) -> None:
        self._duplicated += after.duplicated - before.duplicated
        if after.layers == (0, 0, 0):
            del self._by_name[name]
        else:
            self._by_name[name] = after


def _spans(layers: tuple[int, int, int]) -> bool:
    knowledge, history, working = layers
    return bool((knowledge and (history or working)) or (history and working))


def _stepped(layers: tuple[int, int, int], index: int, step: int) -> tuple[int, int, int]:
    knowledge, history, working = layers
    if index == _WORKING:
        return knowledge, history, working + step
    if index == _HISTORY:
        return knowledge, history + step, working
    return knowledge + step, history, working
