"""Who hears of events once they are durable."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Protocol

from engine.events import Event

Hearer = Callable[[str, Event], None]
"""Hears an instance's id and an event of it."""


class Telling(Protocol):
    """What becomes of the events of an advance: one of the two is called, once."""

    def tell(self, events: Sequence[Event]) -> None:
        """It was written."""
        ...

    def drop(self) -> None:
        """It was not."""
        ...


class Turn:
    """An advance's place in the order in which an instance's events are told: taken before it is written.

    Whoever commits after it may be the first to say so: what that has to tell waits for this one.
    """

    def __init__(self, hearers: Hearers, instance: str, seq: int) -> None:
        self.seq = seq
        self.events: Sequence[Event] | None = None
        self._hearers, self._instance = hearers, instance

    def tell(self, events: Sequence[Event]) -> None:
        """It is durable: its events, in order, are told to everybody, though a hearer moves the instance or raises.

        What a hearer moves is told when all have heard what it heard. What the first of them raised is raised once
        everybody has heard everything. Who is telling the instance's events already, or comes before, tells these too.
        """
        self._hearers.go_on(self._instance, self, events)

    def drop(self) -> None:
        """It was not written."""
        self._hearers.go_on(self._instance, self, None)


class LateTurn:
    """The same for what others commit: it takes its place when it is known to be durable, if ever.

    `when_durable` calls then.
    """

    def __init__(self, when_durable: Callable[[Callable[[], None]], None], turn: Callable[[], Turn]) -> None:
        self._when_durable, self._turn = when_durable, turn

    def tell(self, events: Sequence[Event]) -> None:
        self._when_durable(lambda: self._turn().tell(events))

    def drop(self) -> None: ...


class Hearers:
    """Those who listen to one Governor."""

    def __init__(self) -> None:
        self._hearers: list[Hearer] = []
        self._lock = Lock()
        self._turns: dict[str, list[Turn]] = {}
        """By instance those that are not told yet."""
        self._left: dict[str, deque[Event]] = {}
        """By instance what is left to tell; who began with it tells what others add meanwhile."""

    def add(self, hear: Hearer) -> Callable[[], None]:
        """Let somebody hear; what it returns ends that."""
        self._hearers.append(hear)
        return lambda: self._hearers.remove(hear) if hear in self._hearers else None

    def turn(self, instance: str, seq: int) -> Turn:
        """The place of an advance that is about to be written, and whose first event is `seq`."""
        turn = Turn(self, instance, seq)
        with self._lock:
            self._turns.setdefault(instance, []).append(turn)
        return turn

    def go_on(self, instance: str, turn: Turn, events: Sequence[Event] | None) -> None:
        """A turn has come, or never will (None): tell what may be told now."""
        with self._lock:
            if events is None:
                self._remove(instance, turn)
            turn.events = events
            if instance in self._left:
                return
            self._left[instance] = deque()
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
            while not left and (turn := self._first(instance)) is not None and turn.events is not None:
                left.extend(turn.events)
                self._remove(instance, turn)
            if left:
                return left.popleft()
            del self._left[instance]
            return None

    def _first(self, instance: str) -> Turn | None:
        """Of two with the same first event one fails to be written: it holds nobody up."""
        return min(self._turns.get(instance, ()), key=lambda turn: (turn.seq, turn.events is None), default=None)

    def _remove(self, instance: str, turn: Turn) -> None:
        turns = self._turns[instance]
        turns.remove(turn)
        if not turns:
            del self._turns[instance]
