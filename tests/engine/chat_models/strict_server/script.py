"""What the server is to say: replies and failures, in order."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Say:
    """An answer: text, calls of tools as (name, arguments) with arguments an object or the text as it is, or both."""

    text: str = ""
    calls: tuple[tuple[str, Mapping[str, Any] | str], ...] = ()

    def tool_calls(self, number: int) -> list[dict[str, Any]]:
        """The calls in the protocol's form; their ids count over all answers."""
        return [
            {
                "id": f"call_{number}_{place}",
                "type": "function",
                "function": {"name": name, "arguments": _text(arguments)},
            }
            for place, (name, arguments) in enumerate(self.calls, 1)
        ]


def _text(arguments: Mapping[str, Any] | str) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


@dataclass(frozen=True)
class Fail:
    """A failure: status and message; `retry_after` in seconds goes into the header."""

    status: int
    message: str = "The server had an error"
    retry_after: float | None = None


@dataclass(frozen=True)
class Stall:
    """No answer until the server is closed."""


@dataclass(frozen=True)
class Break:
    """An answer that is streamed as far as this text; then the connection is gone."""

    text: str


@dataclass(frozen=True)
class Drip:
    """An answer that comes piece by piece, one every so many seconds, and has no end until the server is closed."""

    every: float


Turn = Say | Fail | Stall | Break | Drip
Brain = Callable[[Mapping[str, Any]], Turn]
"""What to say to a request."""


def outputs(confidence: float = 0.9, **values: Any) -> Say:
    """An answer with an activity's outputs."""
    return Say(json.dumps({"outputs": values, "confidence": confidence}))


def in_order(*turns: Turn) -> Brain:
    """One turn after the other, whatever is asked."""
    left = list(turns)

    def say(body: Mapping[str, Any]) -> Turn:
        return left.pop(0) if left else Fail(400, "the script is at its end")

    return say
