"""When compression is at its end and it still does not fit (Design: D1 compress, retained overflow)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from governance.compression.decisions import Measure, Overflow, Releasable
from governance.compression.eligibility import Hold
from governance.compression.entries import Entry
from governance.compression.settings import CompressSettings

_RELEASABLE: Final = frozenset({Hold.RETAINED, Hold.PINNED})


def overflow_of(
    after: Measure, entries: Iterable[Entry], working: str, settings: CompressSettings
) -> Overflow | None:
    """What to ask a person about once the passes are done.

    Only the forced band can end above 1, and it ends there only with nothing left to lower: a pressure above 1 is
    that of kept entries alone. Those of WORKING could be released, and for the window those of every compressed layer.
    """
    if after.pressure > settings.forced_pressure:
        held = [entry for entry in entries if entry.hold in _RELEASABLE and entry.space == working]
        return Overflow("retained_overflow", _largest_first(held))
    if after.usage > settings.window_usage:
        return Overflow("usage_overflow", _largest_first(entry for entry in entries if entry.hold in _RELEASABLE))
    return None


def _largest_first(entries: Iterable[Entry]) -> tuple[Releasable, ...]:
    listed = [
        Releasable(entry.key, entry.shown.chars, entry.shown.tokens, entry.hold) for entry in entries if entry.hold
    ]
    return tuple(sorted(listed, key=lambda entry: (-entry.chars, entry.key)))
