"""Where the work is heading: direction, drift, and what kind of turn it took (Design: CDA, direction)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from math import exp
from statistics import median

from governance.cda.embedding import Embedding, Vector, dot, mixed, unit
from governance.cda.settings import CdaSettings

_INTENT, _PHASE, _INERTIA = 0.60, 0.15, 0.25
_MISS = 0.5
_DAYS = 7.0
_NEAR = 0.90
"""Alignment with an earlier direction from which a turn comes back to it."""
_REMEMBERED = 50


class Gradient(StrEnum):
    """What kind of turn the direction took."""

    STEADY = "STEADY"
    """No shift, and there was something new."""
    TRAP = "TRAP"
    """No shift, and nothing new came in either."""
    ADVANCE = "ADVANCE"
    """A shift towards the target."""
    RETURN = "RETURN"
    """A shift back to an earlier direction, and towards the target."""
    JUMP = "JUMP"
    """A shift away from the target."""
    OSCILLATION = "OSCILLATION"
    """Back and forth between two directions."""


@dataclass(frozen=True, slots=True)
class Turned:
    """One turn: drift from the global direction, and what kind of turn it was."""

    turn: int
    drift: float
    shift: float
    gradient: Gradient
    alert: bool


class Direction:
    """`D_t = unit(0.60 intent + 0.15 phase + 0.25 D_(t-1))`; `D_0` is the global direction."""

    def __init__(self, embedding: Embedding, settings: CdaSettings) -> None:
        self._embedding, self._settings = embedding, settings
        self._global: Vector = {}
        self._current: Vector = {}
        self._earlier: deque[Vector] = deque(maxlen=_REMEMBERED)
        self._first: list[float] = []
        self._above = 0
        self._turns = 0
        self._alert = False

    @property
    def target(self) -> Vector:
        """D_global."""
        return self._global

    @property
    def current(self) -> Vector:
        """D_t."""
        return self._current

    @property
    def drift(self) -> float:
        """1 - <D_global, D_t>; 0 before the first turn."""
        return 1.0 - dot(self._global, self._current) if self._current else 0.0

    @property
    def alert(self) -> bool:
        """Whether the drift has stayed too high for too long."""
        return self._alert

    def aim(self, intent: str) -> None:
        """Set the global direction, which is the first current one too."""
        self._global = self._embedding.embed(intent)
        if not self._turns:
            self._current = self._global

    def turn(self, intent: str, phase: str = "", *, new_evidence: bool = True, target: Vector | None = None) -> Turned:
        """Turn to what is now asked. `target` is the activity's own direction; None: the global one."""
        before, goal = self._current, self._global if target is None else target
        after = mixed(
            (
                (_INTENT, self._embedding.embed(intent)),
                (_PHASE, self._embedding.embed(phase) if phase else {}),
                (_INERTIA, before),
            )
        )
        self._turns += 1
        if not after:
            still = Gradient.STEADY if new_evidence else Gradient.TRAP
            return Turned(self._turns, self.drift, 0.0, still, self._alert)
        shift = 1.0 - dot(after, before) if before else 0.0
        kind = self._kind(before, after, goal, shift, new_evidence)
        self._earlier.append(before)
        self._current = after
        self._watch()
        return Turned(self._turns, self.drift, shift, kind, self._alert)

    def miss(self, text: str, age_days: float = 0.0) -> None:
        """Turn away from what failed: D <- unit(D - 0.5 exp(-age/7) <D, m> m)."""
        missed = self._embedding.embed(text)
        share = _MISS * decay(age_days) * dot(self._current, missed)
        lowered = dict(self._current)
        for at, weight in missed.items():
            lowered[at] = lowered.get(at, 0.0) - share * weight
        self._current = unit(lowered)

    def alignment(self, text: str) -> float:
        """<D_t, text>."""
        return dot(self._current, self._embedding.embed(text))

    def _kind(self, before: Vector, after: Vector, goal: Vector, shift: float, new_evidence: bool) -> Gradient:
        if shift <= self._settings.shift:
            return Gradient.STEADY if new_evidence else Gradient.TRAP
        if len(self._earlier) >= 3 and self._swings(before, after):
            return Gradient.OSCILLATION
        if dot(goal, after) <= dot(goal, before):
            return Gradient.JUMP
        back = any(dot(after, earlier) >= _NEAR for earlier in self._earlier if earlier)
        return Gradient.RETURN if back else Gradient.ADVANCE

    def _swings(self, before: Vector, after: Vector) -> bool:
        """Whether the last four directions are two, one after the other and again."""
        one, other = self._earlier[-1], self._earlier[-2]
        return dot(after, one) >= _NEAR and dot(before, other) >= _NEAR and dot(before, after) < _NEAR

    def _watch(self) -> None:
        settings, drift = self._settings, self.drift
        if len(self._first) < settings.drift_first:
            self._first.append(drift)
        above = drift > median(self._first) + settings.drift_alert
        self._above = self._above + 1 if above else 0
        self._alert = self._above >= settings.drift_turns


def decay(age_days: float) -> float:
    """What is left of a miss after some days: exp(-age / 7)."""
    return exp(-max(0.0, age_days) / _DAYS)
