"""What the calls of a memory give back: plain data, no vendor's types (Design: CDA, API)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Mode = Literal["passthrough", "assembled"]
Strategy = Literal["auto", "aggressive"]


@dataclass(frozen=True, slots=True)
class AssembledContext:
    """`messages` to put before a model, as plain objects, and `metadata`: JSON that tells how they were chosen."""

    messages: list[Mapping[str, Any]]
    metadata: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """What `compact` did. `compacted` only if the shown tokens fell; `lowered` counts items by their new fidelity.

    `last_turn` is what after_turn had measured: alignment of its output, and usage; None before the first turn.
    """

    compacted: bool
    reason: str
    tokens_before: int
    tokens_after: int
    usage_before: float
    usage_after: float
    lowered: Mapping[str, int] = field(default_factory=dict)
    last_turn: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadEndMatch:
    """A known dead end near the current direction."""

    id: str
    similarity: float
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectionState:
    """Where the work is heading, against where it started. `global_intent` is the vector by dimension."""

    global_intent: Mapping[int, float]
    intent: str
    drift_score: float
    alert: bool
    gradient: str
    phase: str
    dead_end_matches: tuple[DeadEndMatch, ...]
