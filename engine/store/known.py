"""What this program last left of the instances that it moves, so that it need not ask for it at the next advance."""

from __future__ import annotations

from threading import Lock
from typing import Final, NamedTuple

from engine.evidence.chain import Seal

_MOST: Final = 1_000
"""Of so many instances, those that moved last."""


class Held(NamedTuple):
    """The row of an instance as far as an advance needs it: its number, where it stands, the last seal of its log."""

    number: int
    version: int
    epoch: int
    seal: Seal | None


class StaleKnowledge(Exception):
    """An advance did not fit what was known of its instance: see in the database how it stands, and try again."""


class Known:
    """Each is given out once. What somebody else has moved meanwhile no longer fits, which the compare-and-set sees."""

    def __init__(self, most: int = _MOST) -> None:
        self._held: dict[str, Held] = {}
        self._most, self._lock = most, Lock()

    def take(self, instance: str, version: int, epoch: int) -> Held | None:
        """How it stands, if it was left in this version and epoch."""
        with self._lock:
            held = self._held.pop(instance, None)
        return held if held is not None and held[1:3] == (version, epoch) else None

    def keep(self, instance: str, held: Held) -> None:
        """Only what is committed."""
        with self._lock:
            self._held[instance] = held
            if len(self._held) > self._most:
                del self._held[next(iter(self._held))]
