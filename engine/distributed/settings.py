"""What a worker is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.distributed.protocol import ADVANCE_PROTOCOL
from engine.models.rates import Rate


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """`slots`: how many instances it moves at once. Times are seconds.

    It beats each `beat`; one that has not for `lease` is dead to the others. `grace` is how long what runs may still
    run when it is told to stop, `poll` how often it looks for work. `keep` is how long the queue remembers what is
    done. `instead` are settings that hold instead of those that instances were started with.
    """

    slots: int = 8
    beat: float = 5.0
    lease: float = 20.0
    grace: float = 30.0
    poll: float = 0.2
    keep: float = 600.0
    rates: tuple[Rate, ...] = ()
    instead: dict[str, Any] = field(default_factory=dict)
    protocol: int = ADVANCE_PROTOCOL
