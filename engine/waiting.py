"""What a waiting instance waits for: people, messages, timers."""

from __future__ import annotations

from typing import Any, Final

from engine.instance import Instance
from engine.spiff.waiting import waiting_events

WAITS_FOR_PEOPLE: Final = ("work_item", "intervention")
"""Kinds that a person ends."""


def what_it_waits_for(instance: Instance) -> list[dict[str, Any]]:
    """One object each: {"kind": "work_item" | "intervention" | "message" | "signal" | "timer", "element", ...}."""
    found: list[dict[str, Any]] = []
    for item in instance.work_items.values():
        found.append(
            {
                "kind": "work_item",
                "element": item.element,
                "id": item.id,
                "name": item.name,
                "form": item.form,
                "assignee": item.assignee,
                "users": list(item.users),
                "groups": list(item.groups),
                "restricted": item.restricted,
                "due": item.due,
            }
        )
    for id in instance.held:
        asked = instance.interventions[id]
        found.append(
            {
                "kind": "intervention",
                "element": asked.element,
                "id": id,
                "level": asked.level.value,
                "roles": list(asked.asked_roles),
                "delegate": asked.delegate,
                "due": asked.due,
                "message": asked.message,
                "options": list(asked.options),
            }
        )
    return found + waiting_events(instance.workflow)
