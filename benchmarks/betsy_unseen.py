"""Constraints of betsy's that nothing which runs a process needs to see, each with why; the others count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_TYPES = "declared types, numbers and sets of data are not held against each other: variables have values, not types"
_FORMAL = "an expression without xsi:type says the same as with it"
_DIRECTION = "gatewayDirection is a remark: the flows themselves say what comes in and goes out"
_SERVICES = "operations of web services are not called: a message goes by its name, a job by its type"

UNSEEN: Final[Mapping[str, str]] = {
    **dict.fromkeys(("EXT012", "EXT013"), _FORMAL),
    **dict.fromkeys(("EXT017", "EXT018", "EXT019"), _DIRECTION),
    **dict.fromkeys(
        (
            "EXT020", "EXT043", "EXT044", "EXT045", "EXT047", "EXT048", "EXT051", "EXT052", "EXT063", "EXT064",
            "EXT065", "EXT068", "EXT069", "EXT070", "EXT080", "EXT081", "EXT082", "EXT083", "EXT091", "EXT093",
            "EXT094",
        ),
        _TYPES,
    ),
    **dict.fromkeys(("EXT042", "EXT046", "EXT127", "EXT128"), _SERVICES),
    "EXT033": "a choreography is not run: it says what pools do, and starts nothing",
    "EXT040": "resources are not assigned by expressions over parameters",
}  # fmt: skip
"""By the number of the constraint."""

ACCEPTED: Final[Mapping[str, str]] = {
    "EXT101": "that a start event has no `outgoing` says nothing: the sequence flow itself is there, and counts",
    "EXT105": "where a path just stops it ends, with or without an end event drawn; it is noted",
    "EXT135": "a gateway that has one flow in and one out does nothing, and hides nothing",
    "EXT150": "what no flow leads to is never reached: `unreachable` warns of it, and the rest runs as it is drawn",
    "EXT151": "what no flow leads out of ends there, and what comes behind it is warned of as `unreachable`",
}
"""Constraints an engine can see whose models are run all the same, each with why. They count as not passed."""
