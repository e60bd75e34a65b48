"""Measures of a memory: alignment, dead-end repetition, effective density (Design: CDA, measures)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from governance.cda.embedding import Embedding, Vector, dot


@dataclass(frozen=True, slots=True)
class TurnMeasures:
    """What after_turn measured, and compact is handed: alignment of the turn's output with D, and usage."""

    alignment: float
    usage: float


def alignment(text: str, direction: Vector, embedding: Embedding) -> float:
    """<D, text>: 0 where either says nothing."""
    return dot(direction, embedding.embed(text)) if text else 0.0


def context_alignment(parts: Iterable[tuple[str, int]], direction: Vector, embedding: Embedding) -> float:
    """Token-weighted mean similarity of a context's parts (text, tokens) to D; 0 for an empty one."""
    total = weighted = 0.0
    for text, tokens in parts:
        total += tokens
        weighted += tokens * dot(direction, embedding.embed(text))
    return weighted / total if total else 0.0


def alignment_stability(outputs: Iterable[Vector], target: Vector) -> list[float]:
    """Similarity of each output's direction to D_global, in order of turns."""
    return [dot(target, output) for output in outputs]


def dead_end_repetition(retries: int, repeated: int) -> float:
    """Proposed retries that match a registered dead end / all retries after a registered failure; 0 without any."""
    return repeated / retries if retries else 0.0


def effective_density(assembled: Mapping[str, int], used: Collection[str]) -> float:
    """Tokens of assembled history that was later used / tokens assembled; `assembled` is tokens by entry id."""
    total = sum(assembled.values())
    return sum(tokens for id, tokens in assembled.items() if id in used) / total if total else 0.0
