"""The small state machine under every chain: explicit states, a record of the way, and a rule that always finishes.

A chain goes from state to state; each state's step names the next one. Whatever a model does wrong leads to the state
RULE, which needs no model. No chain loops: a state is entered at most once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, TypeVar

from governance.chains.thinker import DEFAULT_LIMITS, Limits, Thinker, ThinkerFailed

FoundT = TypeVar("FoundT")


class Chain(StrEnum):
    """The five chains, by the words of events."""

    D1_AUTOMATIC = "D1_automatic"
    D1_MODEL = "D1_model"
    D2_MODEL = "D2_model"
    D3_CONFLICT = "D3_conflict"
    KNOWLEDGE_FEEDBACK = "knowledge_feedback"


class State(StrEnum):
    """Where a chain can be; each chain uses some of them."""

    SNAPSHOT = "snapshot"
    INSPECT = "inspect"
    EVALUATE = "evaluate"
    MODEL = "model"
    APPLY = "apply"
    RULE = "rule"
    CONFIRM = "confirm"
    DONE = "done"


@dataclass(slots=True)
class Ended(Generic[FoundT]):
    """What a chain came to, and how: the states it went through, and why the rule finished it, None if it did not."""

    chain: Chain
    found: FoundT
    path: list[State] = field(default_factory=list)
    fallback: str | None = None
    calls: int = 0

    def record(self) -> dict[str, Any]:
        """The way as an event tells it."""
        told: dict[str, Any] = {"chain": self.chain.value, "path": [state.value for state in self.path]}
        return {**told, "calls": self.calls, **({} if self.fallback is None else {"fallback": self.fallback})}


class Asking:
    """A thinker that counts, and gives up at the limit. None: there is no model."""

    def __init__(self, thinker: Thinker | None, limits: Limits = DEFAULT_LIMITS) -> None:
        self._thinker, self.limits = thinker, limits
        self.calls = 0

    def think(self, task: str, material: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """Raises ThinkerFailed, for want of a model and past the limit too."""
        if self._thinker is None:
            raise ThinkerFailed("no model is configured")
        if self.calls >= self.limits.calls:
            raise ThinkerFailed(f"{self.limits.calls} calls were not enough")
        self.calls += 1
        return self._thinker.think(task, material, schema)


Step = Callable[[], State]


def run(
    chain: Chain, steps: Mapping[State, Step], first: State, found: Callable[[], FoundT], asking: Asking
) -> Ended[FoundT]:
    """Go from `first` to DONE; a model's failure in a step goes to RULE, and the record says why."""
    path: list[State] = []
    fallback: str | None = None
    state = first
    while state is not State.DONE:
        if state in path:
            raise RuntimeError(f"{chain}: {state} comes round again after {path}")
        path.append(state)
        try:
            state = steps[state]()
        except ThinkerFailed as failed:
            fallback, state = failed.reason, State.RULE
    return Ended(chain, found(), [*path, State.DONE], fallback, asking.calls)
