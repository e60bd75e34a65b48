"""All routes of the API."""

from __future__ import annotations

from typing import Final

from engine.server.api import (
    access,
    contexts,
    dead_ends,
    definitions,
    events,
    health,
    history,
    incidents,
    instances,
    knowledge,
    memory,
    messages,
    operations,
    work,
)

RESOURCES: Final = (
    definitions.routes, instances.routes, operations.routes, history.routes, incidents.routes, events.routes,
    contexts.routes, messages.routes, work.routes,
    dead_ends.routes, knowledge.routes, memory.routes, access.routes, health.routes,
)  # fmt: skip
