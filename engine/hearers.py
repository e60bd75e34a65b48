"""Who hears of events once they are durable."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from threading import Lock

from engine.events import Event

Hearer = Callable[[str, Event], None]
"""Hears an instance's id and an event of it."""


class Hearers:
    """Those who listen to one Governor."""

    def __init__(self) -> None:
        self._hearers: list[Hearer] = []
        self._lock = Lock()
        self._left: dict[str, deque[Event]] = {}
        """By instance what is left to tell; who began with it tells what others add meanwhile."""

    def add(self, hear: Hearer) -> Callable[[], None]:
        """Let somebody hear; what it returns ends that."""
        self._hearers.append(hear)
        return lambda: self._hearers.remove(hear) if hear in self._hearers else None

    def tell(self, instance: str, events: Sequence[Event]) -> None:
        """The events of an advance, in order, to everybody, though a hearer moves the instance or raises.

        What a hearer moves is told when all have heard what it heard. What the first of them raised is raised once
        everybody has heard everything.
        """
        with self._lock:
            begun = instance in self._left
            self._left.setdefault(instance, deque()).extend(events)
        if begun:
            return
        raised: BaseException | None = None
        while (event := self._next(instance)) is not None:
            for hear in tuple(self._hearers):
                try:
                    hear(instance, event)
                except BaseException as error:
                    raised = raised or error
        if raised is not None:
            raise raised

    def _next(self, instance: str) -> Event | None:
        with self._lock:
            left = self._left[instance]
            if left:
                return left.popleft()
            del self._left[instance]
            return None
