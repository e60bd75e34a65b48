"""How hot each activity is, by what somebody asks: each scale from 1 (cool) to 5 (hot), as the colours of attention."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from engine.events import Event, EventType
from engine.report.drawings import NodeRow
from engine.report.model.people import Asked

SCALES: Final = ("tokens", "waiting", "conflicts", "refusals")
"""Beside attention, which the diagram shows by itself."""
_STEPS: Final = (0.2, 0.4, 0.6, 0.8)


def heat(rows: Iterable[NodeRow], events: Iterable[Event], people: Iterable[Asked]) -> dict[str, dict[int, int]]:
    """Step by number of the node, for each scale; a node without any is left out."""
    refused = Counter(event.element for event in events if event.type is EventType.REFUSED)
    waited: Counter[str] = Counter()
    for asked in people:
        refused[asked.element] += asked.answered == "refused"
        waited[asked.element] += int((asked.seconds or 0.0) * 1000)
    amounts: dict[str, dict[int, int]] = {name: {} for name in SCALES}
    for row in rows:
        element, tally = row.node.element.id, row.tally
        found = (tally.tokens, waited[element], tally.conflicts, refused[element])
        for name, amount in zip(SCALES, found, strict=True):
            if amount:
                amounts[name][row.number] = amount
    return {name: _steps(found) for name, found in amounts.items()}


def _steps(amounts: Mapping[int, int]) -> dict[int, int]:
    most = max(amounts.values(), default=0)
    return {number: 1 + sum(amount > most * step for step in _STEPS) for number, amount in amounts.items()}
