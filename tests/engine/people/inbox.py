"""Work items and interventions for tests."""

from __future__ import annotations

from typing import Any

from engine.people.work_item import WorkItem
from governance.human_loop.intervention import Intervention

AT = "2026-01-01T00:00:00.000000Z"
CONFLICT = {
    "keys": ["severity"],
    "conflicts": [
        {
            "id": "WORKING/severity",
            "key": "WORKING/severity",
            "path": None,
            "values": [
                {"branch": "/f@2:2.a", "value": "low", "created_at": AT, "confidence": 1.0, "activity": "a"},
                {"branch": "/f@2:2.b", "value": "high", "created_at": AT, "confidence": 0.5, "activity": "b"},
            ],
            "strategy": "HUMAN",
            "status": "open",
            "reason": "a person decides",
        }
    ],
}


def work_item(element: str = "approve", **fields: Any) -> WorkItem:
    return WorkItem(**{"id": "i-w1", "instance": "i", "task": 1, "element": element, "name": element,
                       "created_at": AT, **fields})


def intervention(element: str = "join", **fields: Any) -> Intervention:
    """One about a conflict, unless `fields` say otherwise."""
    return Intervention.model_validate(
        {
            "id": "i-1",
            "instance": "i",
            "trigger": "CONFLICT",
            "level": "EXPLICIT_APPROVAL",
            "kind": "conflict",
            "element": element,
            "created_at": AT,
            "message": "branches disagree",
            "shown": CONFLICT,
            "options": ("resolve", "deny"),
            **fields,
        }
    )
