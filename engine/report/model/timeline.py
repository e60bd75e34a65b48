"""The story of a run, event by event, each on its branch: what was decided, why, and what it changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.events import Event
from engine.names import Names
from engine.report.model.branches import Crossing, crossings
from engine.report.model.telling import Telling, is_told, tell


@dataclass(frozen=True, slots=True)
class Row:
    """An event in the story; `branch` as people call it, "" for the main one."""

    seq: int
    at: str
    branch: str
    telling: Telling
    crossing: Crossing


@dataclass(frozen=True, slots=True)
class Timeline:
    """Rows from the oldest to the newest; `lanes` is how many stand side by side, `left_out` how many rows do not."""

    rows: Sequence[Row]
    lanes: int
    left_out: int = 0


def timeline(
    events: Iterable[Event], lost: Mapping[int, Sequence[str]], names: Names, most: int, *, newest: bool = False
) -> Timeline:
    """At most `most` rows, from the beginning on, or the `newest`; `lost` are branches that an interruption ended.

    Cost: the events.
    """
    told = [event for event in events if is_told(event)]
    graph, lanes = crossings(told if newest else told[:most], lost)
    pairs = list(zip(told, graph, strict=False))[-most if newest else 0 :]
    return Timeline([_row(event, crossing, names) for event, crossing in pairs], lanes, len(told) - len(pairs))


def _row(event: Event, crossing: Crossing, names: Names) -> Row:
    branch = names.branch(event.branch) if event.branch else ""
    return Row(event.seq, event.at, branch, tell(event, names), crossing)
