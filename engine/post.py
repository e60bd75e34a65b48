"""Messages and signals on their way from one instance to another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Topic = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A message that nobody has received yet, or a signal for everybody (`recipient` None) or for one instance.

    `topics` are what its receiver waits for, the first one is what it is found by. `sender` is the instance that threw
    it, None for the world outside. `until` is when it is given up (fixed-width UTC timestamp), None: never.
    """

    id: str
    kind: str
    name: str
    topics: tuple[Topic, ...]
    sender: str | None = None
    recipient: str | None = None
    payload: Mapping[str, Any] = field(default_factory=dict)
    key: Any = None
    until: str | None = None
