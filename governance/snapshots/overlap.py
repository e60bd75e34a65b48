"""Duplication between layers, counted as entries come and go (Design: attention, duplication).

An entry is a (name, value hash) in one of three layers. It is duplicated if its name, or its hash, stands in another of
them. A name spans if it stands in two layers or more, and so for a hash: the entries of a spanning name are all
duplicated, and of any other name those whose hash spans. Kept per name: its entries per layer, and how many of them
have a spanning hash. Kept per hash: its entries per layer, and the names that hold it. A change of an entry then
touches one name and one hash; only when a hash begins or ceases to span are its other holders visited.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from immutables import Map

from governance.snapshots.values import Entries

_Layers = tuple[int, int, int]
"""Entries in KNOWLEDGE, HISTORY and WORKING. They span where less than two of the three are 0."""
_Use = tuple[_Layers, int]
"""Of a name: its entries, and how many of all of them have a hash that spans."""
_Holding = tuple[_Layers, Map[str, int]]
"""Of a hash: its entries, and how many of all of them each name has."""

_KNOWLEDGE, _HISTORY, _WORKING = range(3)
INDEX: Final[Mapping[str, int]] = {"KNOWLEDGE": _KNOWLEDGE, "HISTORY": _HISTORY, "WORKING": _WORKING}
"""Which of the three counts is a layer's."""
_NO_NAMES: Map[str, int] = Map()
_NO_LAYERS: Final[_Layers] = (0, 0, 0)
_NO_USE: _Use = (_NO_LAYERS, 0)
_NO_HOLDING: _Holding = ((0, 0, 0), _NO_NAMES)
_ALONE: Final[tuple[_Use, _Use, _Use]] = (((1, 0, 0), 0), ((0, 1, 0), 0), ((0, 0, 1), 0))
"""By INDEX: the use of a name that one entry has."""


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
        by_name: Map[str, _Use],
        by_hash: Map[str, _Holding],
        records: Map[str, Entries],
    ) -> None:
        self.entries, self.duplicated, self.records = entries, duplicated, records
        self._by_name, self._by_hash = by_name, by_hash

    def is_apart(self, index: int, entries: Entries) -> bool:
        """Whether nothing of these entries stands in another layer than that with the INDEX, where they come in."""
        for name, value_hash in entries:
            for known in (self._by_name.get(name), self._by_hash.get(value_hash)):
                if known is not None and sum(known[0]) != known[0][index]:
                    return False
        return True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Overlap):
            return NotImplemented
        return all(getattr(self, slot) == getattr(other, slot) for slot in self.__slots__)


NO_OVERLAP = Overlap(0, 0, Map(), Map(), Map())


class OverlapEdit:
    """Takes entries in and out of an overlap; `finish` gives the new one."""

    __slots__ = ("_by_hash", "_by_name", "_records", "duplicated", "entries")

    def __init__(self, overlap: Overlap) -> None:
        self.entries, self.duplicated = overlap.entries, overlap.duplicated
        self._by_name, self._by_hash = overlap._by_name.mutate(), overlap._by_hash.mutate()
        self._records = overlap.records.mutate()

    def replace(self, layer: str, name: str, was: str | None, will: str | None, outputs: Entries | None = None) -> None:
        """The rendered value `will` took the place of `was` under the name; None: there is, or was, none.

        `outputs` are those of `will` if it is a HISTORY record, None for any other value.
        """
        index = INDEX.get(layer)
        if index is None:
            return
        if was is not None:
            self.leave(index, name, was)
        if will is not None:
            self.enter(index, name, will, outputs)

    def enter(self, index: int, name: str, value_hash: str, outputs: Entries | None) -> None:
        """A value is rendered in the layer with that INDEX, where there was none."""
        if outputs is None:
            self._count(index, name, value_hash, 1)
            return
        self._records[name] = outputs
        for entry, output in outputs:
            self._count(index, entry, output, 1)

    def leave(self, index: int, name: str, value_hash: str) -> None:
        """The value is rendered there no more."""
        outputs = self._records.get(name) if index == _HISTORY else None
        if outputs is None:
            self._count(index, name, value_hash, -1)
            return
        del self._records[name]
        for entry, output in outputs:
            self._count(index, entry, output, -1)

    def finish(self) -> Overlap:
        by_name, by_hash, records = self._by_name.finish(), self._by_hash.finish(), self._records.finish()
        return Overlap(self.entries, self.duplicated, by_name, by_hash, records)

    def _count(self, index: int, name: str, value_hash: str, step: int) -> None:
        """A layer has one entry more (1) or less (-1). What nothing else has in common with it costs least."""
        self.entries += step
        holding, use, alone = self._by_hash.get(value_hash), self._by_name.get(name), _ALONE[index]
        if use is None:
            if holding is None:
                self._by_name[name] = alone
                self._by_hash[value_hash] = (alone[0], _NO_NAMES.set(name, 1))
                return
        elif step < 0 and use == alone and holding is not None and holding[0] == alone[0]:
            del self._by_name[name], self._by_hash[value_hash]
            return
        self._count_shared(index, name, value_hash, step, holding or _NO_HOLDING)

    def _count_shared(self, index: int, name: str, value_hash: str, step: int, holding: _Holding) -> None:
        by_hash, by_name = self._by_hash, self._by_name
        before, names = holding
        layers = _stepped(before, index, step)
        spans = layers.count(0) < 2
        if spans is not (before.count(0) < 2):
            for holder, entries in names.items():
                self._share(holder, entries if spans else -entries)
        count = names.get(name, 0) + step
        names = names.set(name, count) if count else names.delete(name)
        if names:
            by_hash[value_hash] = (layers, names)
        else:
            del by_hash[value_hash]
        before, shared = by_name.get(name) or _NO_USE
        layers = _stepped(before, index, step)
        held = step if spans else 0
        # Of a name's entries are duplicated all if they span, else those whose hash does.
        if before.count(0) < 2 and layers.count(0) < 2:
            self.duplicated += step
        else:
            was = sum(before) if before.count(0) < 2 else shared
            self.duplicated += (sum(layers) if layers.count(0) < 2 else shared + held) - was
        if layers == _NO_LAYERS:
            del by_name[name]
        else:
            by_name[name] = (layers, shared + held)

    def _share(self, name: str, more: int) -> None:
        """So many entries more of a name have a hash that spans."""
        layers, shared = self._by_name[name]
        self._by_name[name] = (layers, shared + more)
        if layers.count(0) > 1:
            self.duplicated += more


def _stepped(layers: _Layers, index: int, step: int) -> _Layers:
    knowledge, history, working = layers
    if index == _HISTORY:
        return (knowledge, history + step, working)
    if index == _WORKING:
        return (knowledge, history, working + step)
    return (knowledge + step, history, working)
