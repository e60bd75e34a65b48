"""What a service came to, by itself: with the values that it is made of, for a journal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.activities.work import Outcome
from engine.replay.results import dump_result, load_result
from governance.snapshots.values import ValueStore


def dump_alone(came_to: Outcome | Exception) -> dict[str, Any]:
    """As JSON."""
    values = ValueStore()
    row = dump_result(values, came_to)
    return {"came_to": row, "values": {hash: body.decode() for hash, body in values.drain()}}


def load_alone(kept: Mapping[str, Any]) -> Outcome | Exception | None:
    """And back; None for what could not be kept, and has to be done again."""
    values: Mapping[str, str] = kept["values"]
    if "unkept" in kept["came_to"]:
        return None
    came_to = load_result(ValueStore(lambda hash: values[hash].encode()), kept["came_to"])
    return came_to if isinstance(came_to, Outcome | Exception) else None
