"""How large a context was over a run: each of the six layers after each activity, in full and as models saw it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.events import Event, EventType
from governance.snapshots.graph import SnapshotGraph
from governance.vocabulary import Layer

MOST_STEPS: Final = 600
"""Steps that are measured; of a longer run every second one, or every third, and so on."""


@dataclass(frozen=True, slots=True)
class LayerSize:
    """Characters and tokens of a layer as shown to models, and in full. `archived` of its `entries` are not shown."""

    layer: Layer
    shown: int
    full: int
    tokens: int
    tokens_full: int
    entries: int
    archived: int


@dataclass(frozen=True, slots=True)
class Fall:
    """What one compression came to: characters of WORKING before and after, and its event's number."""

    seq: int
    band: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Step:
    """The context in which an activity ended. `falls` are the compressions right before it."""

    number: int
    element: str
    branch: str
    at: str
    layers: tuple[LayerSize, ...]
    falls: tuple[Fall, ...] = ()
    pressure: float | None = None

    @property
    def shown(self) -> int:
        return sum(layer.shown for layer in self.layers)

    @property
    def full(self) -> int:
        return sum(layer.full for layer in self.layers)


def grow(graph: SnapshotGraph, events: Sequence[Event], most: int = MOST_STEPS) -> list[Step]:
    """The steps of a run, oldest first, at most `most` and the last one. Cost: the commits of the run."""
    chosen = _thinned(_completions(events), most)
    for event, _, _ in reversed(chosen):
        graph.get(event.data["head"])  # newest first, since a store reads what is older along with it
    return [_step(graph, number, event, falls) for event, falls, number in chosen]


def _completions(events: Sequence[Event]) -> list[tuple[Event, tuple[Fall, ...], int]]:
    """Completed activities, with the compressions that came before each in its branch, and their numbers from 1."""
    found: list[tuple[Event, tuple[Fall, ...], int]] = []
    falls: dict[str, list[Fall]] = {}
    for event in events:
        if event.type is EventType.D1:
            falls.setdefault(event.branch, []).append(_fall(event.seq, event.data))
        elif event.type is EventType.ACTIVITY_COMPLETED and event.data.get("head"):
            found.append((event, tuple(falls.pop(event.branch, ())), len(found) + 1))
    return found


def _thinned(
    found: Sequence[tuple[Event, tuple[Fall, ...], int]], most: int
) -> list[tuple[Event, tuple[Fall, ...], int]]:
    """Every so-manieth step; a step that stands for those before it has their falls."""
    every = max(1, -(-len(found) // most))
    chosen = []
    for end in range(len(found), 0, -every):
        group = found[max(0, end - every) : end]
        event, _, number = group[-1]
        chosen.append((event, tuple(fall for _, falls, _ in group for fall in falls), number))
    return chosen[::-1]


def _fall(seq: int, data: Mapping[str, Any]) -> Fall:
    return Fall(seq, data["band"], data["before"]["chars"], data["after"]["chars"])


def _step(graph: SnapshotGraph, number: int, event: Event, falls: tuple[Fall, ...]) -> Step:
    contents = graph.contents(event.data["head"])
    layers = []
    for layer in Layer:
        sums = contents.layer_totals(layer)
        layers.append(
            LayerSize(
                layer, sums.chars, sums.full_chars, sums.tokens, sums.full_tokens, sums.entries, sums.archived
            )
        )
    d1 = event.data.get("d1")
    return Step(
        number=number,
        element=event.element or "",
        branch=event.branch,
        at=event.at,
        layers=tuple(layers),
        falls=falls,
        pressure=d1[0] if d1 else None,
    )
