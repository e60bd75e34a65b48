"""The event log as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.events import Event
from engine.json_text import compact
from engine.names import Names
from engine.report.words import cut

MOST_EVENTS: Final = 3_000
"""Of a longer log the first and the last are shown, half of this each."""
_DATA_CHARS: Final = 420


@dataclass(frozen=True, slots=True)
class LogRow:
    seq: int
    at: str
    type: str
    element: str
    branch: str
    data: str


@dataclass(frozen=True, slots=True)
class Log:
    """Rows in order. `left_out` events in the middle are not among them; `types` are those that occur."""

    rows: Sequence[LogRow]
    types: Sequence[str]
    left_out: int = 0


def event_log(events: Sequence[Event], names: Names, most: int = MOST_EVENTS, *, newest: bool = False) -> Log:
    """The whole log; of a longer one the ends, or the `newest`."""
    half = 0 if newest else most // 2
    shown = events if len(events) <= most else [*events[:half], *events[half - most :]]
    rows = [_row(event, names) for event in shown]
    return Log(rows, sorted({row.type for row in rows}), len(events) - len(shown))


def _row(event: Event, names: Names) -> LogRow:
    data = compact(dict(event.data)) if event.data else ""
    branch = names.branch(event.branch) if event.branch else ""
    element = names.element(event.element) if event.element else ""
    return LogRow(event.seq, event.at, event.type.value, element, branch, cut(data, _DATA_CHARS))
