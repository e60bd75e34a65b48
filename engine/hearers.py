"""Who hears of events once they are durable."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.events import Event

Hearer = Callable[[str, Event], None]
"""Hears an instance's id and an event of it."""


class Hearers:
    """Those who listen to one Governor."""

    def __init__(self) -> None:
        self._hearers: list[Hearer] = []

    def add(self, hear: Hearer) -> Callable[[], None]:
        """Let somebody hear; what it returns ends that."""
        self._hearers.append(hear)
        return lambda: self._hearers.remove(hear) if hear in self._hearers else None

    def tell(self, instance: str, events: Sequence[Event]) -> None:
        """The events of an advance, in order."""
        for hear in tuple(self._hearers):
            for event in events:
                hear(instance, event)
