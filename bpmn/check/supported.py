"""What the engine runs, as data. All else is refused by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ELEMENTS: Final = frozenset(
    {
        "task",
        "userTask",
        "manualTask",
        "scriptTask",
        "serviceTask",
        "sendTask",
        "businessRuleTask",
        "receiveTask",
        "callActivity",
        "subProcess",
        "parallelGateway",
        "exclusiveGateway",
        "inclusiveGateway",
        "eventBasedGateway",
        "startEvent",
        "endEvent",
        "boundaryEvent",
        "intermediateCatchEvent",
        "intermediateThrowEvent",
    }
)
"""Kinds of flow nodes."""

EVENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "startEvent": ("none", "message", "timer"),
    "endEvent": ("none", "terminate", "error", "message", "escalation", "signal"),
    "boundaryEvent": ("timer", "message", "error", "signal", "escalation"),
    "intermediateCatchEvent": ("timer", "message", "signal"),
    "intermediateThrowEvent": ("none", "message", "signal"),
}
"""By kind of event, the kinds of event definitions. A sub-process starts with `none` only."""

BEHAVIORS: Final = ("All",)
"""What a multi-instance activity may throw as its instances finish (`All`: nothing until the last one did)."""
