"""The static part of PROCESS: what the process is and which activities it has, short enough for every prompt."""

from __future__ import annotations

from typing import Any

from engine.process_index import ProcessIndex

MOST_ACTIVITIES = 60
"""Of a larger process the first ones are told, and how many more there are."""

_NO_ACTIVITIES = ("Event", "Gateway")


def outline(index: ProcessIndex) -> dict[str, Any]:
    """{"name", "documentation", "activities": [[id, name]], "further activities": count}, without what is empty."""
    activities = [
        [element.id, element.name or element.id]
        for element in index.elements.values()
        if not element.kind.endswith(_NO_ACTIVITIES)
    ]
    told = activities[:MOST_ACTIVITIES]
    found = {
        "name": index.main.name or index.main.id,
        "documentation": index.main.documentation,
        "activities": told,
        "further activities": len(activities) - len(told),
    }
    return {name: value for name, value in found.items() if value}
