"""Calls that fail for a while are made again, after a wait."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from engine.models.base import ChatModel, Hear, ModelAnswer, ModelRequest, StreamingModel
from engine.models.errors import ModelCallFailed

Sleep = Callable[[float], None]
"""Waits for so many seconds."""


@dataclass(frozen=True, slots=True)
class RetryPlan:
    """How often and how long: `tries` in all; waits in seconds, the first `first_wait`, each twice the last one.

    What a provider asks to wait (Retry-After) counts instead, up to `longest_wait`; a longer one is not waited for.
    """

    tries: int = 5
    first_wait: float = 1.0
    longest_wait: float = 60.0

    def wait(self, failure: ModelCallFailed, tried: int) -> float | None:
        """Seconds to wait after so many tries, None: give up."""
        if not failure.transient or tried >= self.tries:
            return None
        asked = failure.retry_after
        if asked is not None:
            return asked if asked <= self.longest_wait else None
        waited: float = self.first_wait * 2 ** (tried - 1)
        return min(waited, self.longest_wait)


DEFAULT_PLAN: Final = RetryPlan()


class Retrying:
    """A model in front of another: tries transient failures again. Raises ModelCallFailed with the count of tries."""

    def __init__(self, model: ChatModel, sleep: Sleep, plan: RetryPlan = DEFAULT_PLAN) -> None:
        self._model, self._sleep, self._plan = model, sleep, plan
        self.name = model.name

    def answer(self, request: ModelRequest) -> ModelAnswer:
        return self._try(lambda: self._model.answer(request))

    def stream(self, request: ModelRequest, hear: Hear) -> ModelAnswer:
        """Streams where the model can; where not, all is heard at once."""
        model = self._model
        if isinstance(model, StreamingModel):
            return self._try(lambda: model.stream(request, hear))
        answer = self.answer(request)
        hear(answer.text)
        return answer

    def _try(self, call: Callable[[], ModelAnswer]) -> ModelAnswer:
        tried = 1
        while True:
            try:
                return replace(call(), tries=tried)
            except ModelCallFailed as failure:
                wait = self._plan.wait(failure, tried)
                if wait is None:
                    raise ModelCallFailed(
                        failure.model, failure.fault, failure.reason, retry_after=failure.retry_after, tries=tried
                    ) from failure
            self._sleep(wait)
            tried += 1
