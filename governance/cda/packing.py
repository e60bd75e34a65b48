"""Filling the room of one context: the best first, whole where that fits, else shortened (Design: CDA, zones)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from governance.cda.entry import Entry, text_of
from governance.cda.library import Library
from governance.cda.shown import has_summary, shown
from governance.tokens import TokenCounter
from governance.vocabulary import Fidelity


@dataclass(slots=True)
class Packed:
    """What goes into a context: messages by entry number, at which fidelity, and the room that is left."""

    room: int
    messages: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    fidelity: dict[int, Fidelity] = field(default_factory=dict)
    cost: dict[int, int] = field(default_factory=dict)
    texts: dict[str, int] = field(default_factory=dict)
    """Texts of the entries that are shown."""


class Packer:
    """Puts entries into a `Packed`; a tool call and its results go in together or not at all."""

    def __init__(self, library: Library, counter: TokenCounter, query: str) -> None:
        self._library, self._counter, self._query = library, counter, query

    def fill(self, packed: Packed, numbers: Iterable[int], least: Fidelity = Fidelity.SUMMARY) -> None:
        """Each of `numbers` whole if it fits, else as a summary, else (if `least` says so) by its key."""
        rungs = [Fidelity.FULL, Fidelity.SUMMARY, Fidelity.KEY_ONLY][: 4 - least]
        for number in numbers:
            if packed.room <= 0:
                return
            if self.is_repeat(packed, number):
                continue
            for rung in rungs:
                if self.put(packed, number, rung):
                    break

    def is_repeat(self, packed: Packed, number: int) -> bool:
        """Whether the very text is shown already, by another entry."""
        entry = self._library.entries[number]
        return not entry.calls and packed.texts.get(entry.text, number) != number

    def put(self, packed: Packed, number: int, rung: Fidelity) -> bool:
        """Show an entry, and what goes with it, on that rung if there is room; in place of a lower one."""
        unit = [self._library.entries[other] for other in self._library.together(number)]
        if packed.fidelity.get(number, Fidelity.ARCHIVED) >= rung:
            return True
        if rung is Fidelity.SUMMARY and not any(map(has_summary, unit)):
            return False
        if rung is Fidelity.FULL and self._least(unit, packed) > packed.room:
            return False
        parts = [self._part(entry, rung) for entry in unit]
        cost = sum(tokens for _, tokens, _ in parts) - sum(packed.cost.get(entry.number, 0) for entry in unit)
        if cost > packed.room:
            return False
        packed.room -= cost
        for entry, (message, tokens, fidelity) in zip(unit, parts, strict=True):
            packed.messages[entry.number], packed.cost[entry.number] = message, tokens
            packed.fidelity[entry.number] = fidelity
            packed.texts.setdefault(entry.text, entry.number)
        return True

    def _least(self, unit: Iterable[Entry], packed: Packed) -> int:
        return sum(entry.tokens - packed.cost.get(entry.number, 0) for entry in unit)

    def _part(self, entry: Entry, rung: Fidelity) -> tuple[Mapping[str, Any], int, Fidelity]:
        """Message, tokens and fidelity; what has no summary is whole beside what has."""
        if rung is Fidelity.SUMMARY and not has_summary(entry):
            rung = Fidelity.FULL
        message = shown(entry, rung, self._query)
        return message, entry.tokens if rung is Fidelity.FULL else self._counter.count(text_of(message)), rung
