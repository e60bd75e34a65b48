"""What a chain asks a model through, and how much of it it may ask (Design: tools and chains)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from governance.errors import GovernanceError


class ThinkerFailed(GovernanceError):
    """The model gave no answer that can be used: it failed, was too slow, or kept off the schema."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class Thinker(Protocol):
    """A model, asked one thing at a time."""

    def think(self, task: str, material: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """An object that fits `schema`. `task` says what to do; `material` is data, whoever wrote it.

        Raises ThinkerFailed.
        """
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one run of a chain may ask: `calls` of the model, and `chars` of material in each."""

    calls: int = 4
    chars: int = 40_000


DEFAULT_LIMITS: Final = Limits()
