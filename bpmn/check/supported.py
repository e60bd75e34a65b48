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
        "transaction",
        "adHocSubProcess",
        "parallelGateway",
        "exclusiveGateway",
        "inclusiveGateway",
        "complexGateway",
        "eventBasedGateway",
        "startEvent",
        "endEvent",
        "boundaryEvent",
        "intermediateCatchEvent",
        "intermediateThrowEvent",
    }
)
"""Kinds of flow nodes."""

_WAITED_FOR: Final = ("message", "timer", "signal", "conditional", "multiple")

EVENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "startEvent": ("none", *_WAITED_FOR),
    "endEvent": ("none", "terminate", "error", "message", "escalation", "signal", "multiple", "compensation", "cancel"),
    "boundaryEvent": (*_WAITED_FOR, "error", "escalation", "compensation", "cancel"),
    "intermediateCatchEvent": (*_WAITED_FOR, "link"),
    "intermediateThrowEvent": ("none", "message", "signal", "escalation", "link", "multiple", "compensation"),
}
"""By kind of event, the kinds of event definitions. A sub-process starts with `none` only."""

EVENT_SUB_PROCESS_STARTS: Final = (*_WAITED_FOR, "error", "escalation", "compensation")
"""What the start event of an event sub-process waits for."""

BEHAVIORS: Final = ("All", "None", "One", "Complex")
"""What a multi-instance activity may throw as its instances finish (`All`: nothing)."""
