"""Duplication between layers, counted as entries come and go (Design: attention, duplication).

An entry is a (name, value hash) in one of three layers. It is duplicated if its name, or its hash, stands in another of
them. A name spans if it stands in two layers or more, and so for a hash: the entries of a spanning name are all
duplicated, and of any other name those whose hash spans. Kept per name: its entries per layer, and how many of them
have a spanning hash. Kept per hash: its entries per layer, and the names that hold it. A change of an entry then
touches one name and one hash; only when a hash begins or ceases to span are its other holders visited.
"""

from __future__ import annotations

from immutables import Map

Entries = tuple[tuple[str, str], ...]
_Layers = tuple[int, int, int]
"""Entries in KNOWLEDGE, HISTORY and WORKING. They span where less than two of the three are 0."""
_Use = tuple[_Layers, int]
"""Of a name: its entries, and how many of all of them have a hash that spans."""
_Holding = tuple[_Layers, Map[str, int]]
"""Of a hash: its entries, and how many of all of them each name has."""

_KNOWLEDGE, _HISTORY, _WORKING = range(3)
_LAYERS = {"KNOWLEDGE": _KNOWLEDGE, "HISTORY": _HISTORY, "WORKING": _WORKING}
_NO_USE: _Use = ((0, 0, 0), 0)
_NO_HOLDING: _Holding = ((0, 0, 0), Map())


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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Overlap):
            return NotImplemented
        return all(getattr(self, slot) == getattr(other, slot) for slot in self.__slots__)


NO_OVERLAP = Overlap(0, 0, Map(), Map(), Map())


class OverlapEdit:
    """Takes entries in and out of an overlap; `finish` gives the new one."""

    __slots__ = ("_by_hash", "_by_name", "_duplicated", "_entries", "_records")

    def __init__(self, overlap: Overlap) -> None:
        self._entries, self._duplicated = overlap.entries, overlap.duplicated
        self._by_name, self._by_hash = overlap._by_name.mutate(), overlap._by_hash.mutate()
        self._records = overlap.records

    def replace(self, layer: str, name: str, was: str | None, will: str | None, outputs: Entries | None = None) -> None:
        """The rendered value `will` took the place of `was` under the name; None: there is, or was, none.

        `outputs` are those of `will` if it is a HISTORY record, None for any other value.
        """
        index = _LAYERS.get(layer)
        if index is None:
            return
        for entry, value_hash in self._left(index, name, was):
            self._step(index, entry, value_hash, -1)
        if will is None:
            return
        if outputs is not None:
            self._records = self._records.set(name, outputs)
        for entry, value_hash in ((name, will),) if outputs is None else outputs:
            self._step(index, entry, value_hash, 1)

    def finish(self) -> Overlap:
        return Overlap(self._entries, self._duplicated, self._by_name.finish(), self._by_hash.finish(), self._records)

    def _left(self, index: int, name: str, was: str | None) -> Entries:
        """The entries that what stood under the name counted as."""
        outputs = self._records.get(name) if index == _HISTORY else None
        if outputs is None:
            return () if was is None else ((name, was),)
        self._records = self._records.delete(name)
        return outputs

    def _step(self, index: int, name: str, value_hash: str, step: int) -> None:
        """A layer has one entry more (1) or less (-1)."""
        self._entries += step
        layers, names = self._by_hash.get(value_hash, _NO_HOLDING)
        spanned = layers.count(0) < 2
        layers = _stepped(layers, index, step)
        spans = layers.count(0) < 2
        if spans is not spanned:
            for holder, entries in names.items():
                self._share(holder, entries if spans else -entries)
        count = names.get(name, 0) + step
        names = names.set(name, count) if count else names.delete(name)
        if names:
            self._by_hash[value_hash] = (layers, names)
        else:
            del self._by_hash[value_hash]
        layers, shared = self._by_name.get(name, _NO_USE)
        self._use(name, (layers, shared), (_stepped(layers, index, step), shared + step if spans else shared))

    def _share(self, name: str, more: int) -> None:
        """So many entries more of a name have a hash that spans."""
        before = layers, shared = self._by_name[name]
        self._use(name, before, (layers, shared + more))

    def _use(self, name: str, before: _Use, after: _Use) -> None:
        self._duplicated += _duplicated(*after) - _duplicated(*before)
        if after == _NO_USE:
            del self._by_name[name]
        else:
            self._by_name[name] = after


def _stepped(layers: _Layers, index: int, step: int) -> _Layers:
    knowledge, history, working = layers
    if index == _HISTORY:
        return (knowledge, history + step, working)
    if index == _WORKING:
        return (knowledge, history, working + step)
    return (knowledge + step, history, working)


def _duplicated(layers: _Layers, shared: int) -> int:
    """How many of a name's entries are duplicated: all if they span, else those whose hash does."""
    return sum(layers) if layers.count(0) < 2 else shared
