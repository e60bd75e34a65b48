"""The event log of an instance, as its progress was told while it ran."""

from __future__ import annotations

from collections.abc import Iterable

from engine.cli.screen.port import Screen, Style
from engine.cli.telling.progress import Progress
from engine.cli.telling.times import moment
from engine.events import Event
from engine.names import Names


def tell_events(screen: Screen, names: Names, events: Iterable[Event]) -> None:
    """All of them, oldest first; a line with the time wherever it changed."""
    progress, told = Progress(screen, names), ""
    for event in events:
        at = moment(event.at)
        if at != told:
            screen.line((at, Style.DIM))
            told = at
        progress(event)
