"""Compaction: which entries stay context items, and how much of each (Design: CDA, `compact` writes context items)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection

from governance.cda.entry import Entry, text_of
from governance.cda.library import Library
from governance.cda.settings import CdaSettings
from governance.cda.shown import has_summary, shown
from governance.cda.state import Compaction, Strategy
from governance.cda.zones import Zone, ZoneTable
from governance.tokens import TokenCounter
from governance.vocabulary import Fidelity


class Compactor:
    """Lowers context items, the least worth showing first; nothing leaves the library."""

    def __init__(self, library: Library, counter: TokenCounter, settings: CdaSettings, zones: ZoneTable[int]) -> None:
        self._library, self._counter, self._settings, self._zones = library, counter, settings, zones
        self.written: list[tuple[int, Fidelity, int]] = []
        """The context items that the last compaction wrote: number, fidelity, tokens."""

    def compact(
        self, strategy: Strategy, intent: str, worth: Callable[[Entry], float], kept: Collection[int] = ()
    ) -> Compaction:
        """Lower items zone by zone, in each the least `worth` first; `kept` stay as they are.

        Reads every context item: what that costs comes back with each assembly that chooses among fewer.
        """
        before, self.written = self._library.shown_tokens, []
        if strategy == "auto" and self._usage < self._settings.yellow:
            return self._told(before, {}, f"usage {self._usage:.2f} is below {self._settings.yellow:.2f}")
        last = len(self._library)
        spared = {*kept, *range(last - self._settings.path_kept, last)}
        ranked = sorted(self._library.items(), key=lambda entry: (self._library.is_current(entry.number), worth(entry)))
        lowered: dict[int, Fidelity] = {}
        for zone, rung in _AGGRESSIVE if strategy == "aggressive" else _AUTO:
            for entry in ranked:
                if strategy == "auto" and self._usage < self._settings.yellow:
                    break
                together = self._library.together(entry.number)
                if self._zones.zone(entry.number) is zone and spared.isdisjoint(together):
                    lowered.update((other, rung) for other in together if self._lower(other, rung, intent))
        self.written = [(number, fidelity, self._library.cost(number)) for number, fidelity in lowered.items()]
        counts = Counter(fidelity.name for fidelity in lowered.values())
        reason = f"{len(lowered)} items lowered" if lowered else "nothing is left to lower"
        return self._told(before, dict(counts), reason)

    @property
    def _usage(self) -> float:
        return self._library.shown_tokens / self._settings.window_tokens

    def _lower(self, number: int, rung: Fidelity, intent: str) -> bool:
        """Lower an item to `rung`, if that takes less room than it has."""
        entry = self._library.entries[number]
        if not self._library.is_item(number) or self._library.fidelity(number) <= rung:
            return False
        if rung is Fidelity.SUMMARY and not has_summary(entry):
            return False
        cost = 0 if rung is Fidelity.ARCHIVED else self._counter.count(text_of(shown(entry, rung, intent)))
        if cost >= self._library.cost(number):
            return False
        self._library.lower(number, rung, cost)
        return True

    def _told(self, before: int, lowered: dict[str, int], reason: str) -> Compaction:
        after, window = self._library.shown_tokens, self._settings.window_tokens
        return Compaction(
            compacted=after < before,
            reason=reason,
            tokens_before=before,
            tokens_after=after,
            usage_before=before / window,
            usage_after=after / window,
            lowered=lowered,
        )


_AUTO = (
    (Zone.DROP, Fidelity.SUMMARY),
    (Zone.DROP, Fidelity.KEY_ONLY),
    (Zone.COMPRESS, Fidelity.SUMMARY),
    (Zone.DROP, Fidelity.ARCHIVED),
    (Zone.COMPRESS, Fidelity.KEY_ONLY),
    (Zone.KEEP, Fidelity.SUMMARY),
    (Zone.COMPRESS, Fidelity.ARCHIVED),
)
_AGGRESSIVE = ((Zone.DROP, Fidelity.ARCHIVED), (Zone.COMPRESS, Fidelity.SUMMARY))
