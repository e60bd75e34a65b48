"""The texts of the rungs between FULL and ARCHIVED (Design: entries, fidelity)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from governance.compression.entries import Entry
from governance.compression.settings import CompressSettings
from governance.ports import Summariser
from governance.snapshots.render import record_outputs
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity, Layer

MARK: Final = "[Compressed] "
_CUT: Final = "…"
_NO_TEXTS: Final[Mapping[str, str]] = {}


class Shortener:
    """Says what a reader who wants to know `query` is shown of an entry on a lower rung.

    `texts` by key are those that a model wrote; they stand for the rule's where they fit.
    """

    def __init__(
        self,
        values: ValueStore,
        summariser: Summariser,
        settings: CompressSettings,
        query: str,
        texts: Mapping[str, str] = _NO_TEXTS,
    ) -> None:
        self._values = values
        self._summariser = summariser
        self._settings = settings
        self._query = query
        self._texts = texts

    def text(self, entry: Entry, rung: Fidelity) -> str | None:
        """The shown text for SUMMARY or KEY_ONLY; None if the entry is too small to have one."""
        if rung is Fidelity.SUMMARY:
            return self._summary(entry)
        return self._excerpt(entry)

    def _summary(self, entry: Entry) -> str | None:
        label = len(entry.name) + len(": ")
        room = int(self._settings.summary_share * entry.full.chars) - label - len(MARK)
        if room < self._settings.summary_least_chars:
            return None
        given = self._texts.get(entry.key)
        if given is not None and len(given) <= room:
            return MARK + given
        return MARK + self._summarised(entry, room)

    def _excerpt(self, entry: Entry) -> str:
        """At most half of what is shown now, so that each rung is a real step down."""
        shown = entry.shown.chars - len(entry.name) - len(": ")
        room = min(self._settings.key_only_chars, shown // 2) - len(_CUT)
        if room <= 0:
            return ""
        text = self._summarised(entry, room)
        return text if text.endswith(_CUT) else text + _CUT

    def _summarised(self, entry: Entry, limit: int) -> str:
        value = _full_value(self._values, entry)
        return self._summariser.summarise(value, query=self._query, limit=limit)[:limit]


def _full_value(values: ValueStore, entry: Entry) -> Any:
    """The entry's value; a HISTORY record with its outputs in place of their hashes, as it reads at FULL."""
    value = values.get(entry.item.value)
    outputs = record_outputs(value) if entry.space == Layer.HISTORY else None
    if not outputs:
        return value
    return {**value, "outputs": {**value["outputs"], **{name: values.get(output) for name, output in outputs}}}
