"""Why an instance may not be moved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.errors import EngineError
from engine.status import Status

_REMEDIES: Final[Mapping[str, str]] = {Status.SUSPENDED: "lift that first (governor unsuspend)"}


class NotMovable(EngineError):
    """An instance that an operator has stopped or ended, or that has come to its end: what it is, who did so and when.

    `by` is None where nobody did: it ran to its end by itself.
    """

    def __init__(self, instance: str, status: str, by: str | None, at: str | None, reason: str | None) -> None:
        self.instance, self.status, self.by, self.at, self.reason = instance, status, by, at, reason
        told = f" by {by}" if by else ""
        told += f" at {at}" if at else ""
        told += f": {reason}" if reason else ""
        super().__init__(f"instance {instance} was {status}{told}; {_REMEDIES.get(status, 'that stands')}")


class InstanceSuspended(NotMovable):
    """Nothing in a suspended instance moves, no timer fires, and nobody's answer is taken."""


class InstanceEnded(NotMovable):
    """It has come to its end, or an operator has cancelled it; that stands."""


class AtWorkElsewhere(EngineError):
    """There is nothing to do in it but what another program is doing."""

    def __init__(self, instance: str) -> None:
        self.instance = instance
        super().__init__(
            f"instance {instance} is being advanced by another program, which goes on with it; "
            "see what that makes of it, or end that program first"
        )


class NotSuspended(EngineError):
    """Nobody has suspended it."""

    def __init__(self, instance: str, status: str) -> None:
        self.instance, self.status = instance, status
        super().__init__(f"instance {instance} is {status}; only a suspended one can be let go on")
