"""Errors of the governance package."""

from __future__ import annotations


class GovernanceError(Exception):
    """Base of every error that governance raises on purpose."""


class UnknownSnapshot(GovernanceError):
    """A snapshot id that the graph does not hold."""

    def __init__(self, snapshot: str) -> None:
        self.snapshot = snapshot
        super().__init__(f"no snapshot {snapshot}")


class UnknownValue(GovernanceError):
    """A value hash that the value store does not hold."""

    def __init__(self, value_hash: str) -> None:
        self.value_hash = value_hash
        super().__init__(f"no value {value_hash}")


class NotJson(GovernanceError):
    """A value that cannot be an entry, since it is no JSON value."""

    def __init__(self, key: str, found: str) -> None:
        self.key, self.found = key, found
        super().__init__(
            f"{key}: {found} is not a JSON value; allowed are null, true/false, finite numbers, text, "
            "lists, and objects with text keys"
        )


class LayerRefused(GovernanceError):
    """A write that a layer's rules forbid (SYSTEM after start, too large, EPHEMERAL to a snapshot)."""

    def __init__(self, layer: str, key: str, reason: str) -> None:
        self.layer, self.key, self.reason = layer, key, reason
        super().__init__(f"{layer}/{key}: {reason}")
