"""A compression in the making: entries on their way down, and what would be shown in all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from governance.compression.decisions import D1Request, Measure
from governance.compression.entries import Entry
from governance.compression.priority import by_priority
from governance.compression.rungs import Shortener
from governance.compression.units import Unit
from governance.snapshots.render import text_line_size
from governance.snapshots.values import Size, ValueStore
from governance.vocabulary import Fidelity

_NOTHING = Size(0, 0)
_TEXTS = (Fidelity.SUMMARY, Fidelity.KEY_ONLY)


class Draft:
    """What passes work on. Nothing is stored: a draft may be thrown away.

    `units` are the movable ones; `fallen` the entries lowered so far, in the order in which each fell first.
    """

    def __init__(
        self,
        values: ValueStore,
        request: D1Request,
        before: Measure,
        units: Sequence[Unit],
        shortener: Shortener,
    ) -> None:
        self.units = units
        self.fallen: dict[Entry, None] = {}
        self._values = values
        self._request = request
        self._working = request.working
        self._chars, self._tokens = before.chars, before.tokens
        self._shortener = shortener

    @property
    def pressure(self) -> float:
        return self._chars / self._request.policy.working_threshold

    @property
    def usage(self) -> float:
        return self._tokens / self._request.policy.window_tokens

    @property
    def measure(self) -> Measure:
        return Measure(self.pressure, self.usage, self._chars, self._tokens)

    @cached_property
    def ranked(self) -> list[Unit]:
        """The units, lowest priority first. Scored when a pass asks, for a sweep needs no order."""
        return by_priority(self.units, self._request, self._values)

    def can_fall(self, rung: Fidelity) -> bool:
        """Whether `lower` to that rung could lower anything: if not, nothing need be scored."""
        if rung is Fidelity.ARCHIVED and any(unit.leaves for unit in self.units):
            return True
        rung = max(rung, Fidelity.KEY_ONLY)
        return any(entry.fidelity > rung for unit in self.units for entry in unit.shrinking)

    def is_working(self, unit: Unit) -> bool:
        """Whether lowering the unit lowers the pressure."""
        return any(entry.space == self._working for entry in unit.entries)

    def lower(self, unit: Unit, rung: Fidelity) -> int:
        """Lower what is above `rung` in the unit to it; how many entries fell. Only the whole goes to ARCHIVED."""
        if rung is Fidelity.ARCHIVED and unit.leaves:
            return self._archive(unit)
        if rung is Fidelity.ARCHIVED:
            rung = Fidelity.KEY_ONLY
        fell = 0
        for entry in unit.shrinking:
            if entry.fidelity > rung:
                fell += self._shorten(entry, rung)
        return fell

    def step(self, unit: Unit) -> int:
        """Lower the unit by one rung; how many entries fell. With no text left to shorten, the whole is archived."""
        texts = [entry for entry in unit.shrinking if entry.fidelity > Fidelity.KEY_ONLY]
        fell = sum(self._shorten(entry, Fidelity(entry.fidelity - 1)) for entry in texts)
        return fell or (self._archive(unit) if unit.leaves else 0)

    def _shorten(self, entry: Entry, rung: Fidelity) -> bool:
        """A text that would not be smaller is skipped for that of the next rung."""
        for fidelity in _TEXTS:
            text = self._shortener.text(entry, fidelity) if fidelity <= rung else None
            if text is None:
                continue
            size = text_line_size(self._values, entry.key, text)
            if size.chars < entry.shown.chars and size.tokens <= entry.shown.tokens:
                self._show(entry, fidelity, text, size)
                return True
        return False

    def _archive(self, unit: Unit) -> int:
        left = [entry for entry in unit.entries if entry.fidelity is not Fidelity.ARCHIVED]
        for entry in left:
            self._show(entry, Fidelity.ARCHIVED, None, _NOTHING)
        return len(left)

    def _show(self, entry: Entry, fidelity: Fidelity, text: str | None, size: Size) -> None:
        if entry.space == self._working:
            self._chars += size.chars - entry.shown.chars
        self._tokens += size.tokens - entry.shown.tokens
        entry.fidelity, entry.text, entry.shown = fidelity, text, size
        self.fallen[entry] = None
