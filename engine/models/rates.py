"""How often models may be called."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from engine.errors import EngineError
from engine.models.base import ChatModel, Hear, ModelAnswer, ModelRequest, Recorded, StreamingModel

_FORM: Final = re.compile(r"(?P<model>.+)=(?P<calls>[1-9]\d*)/(?P<unit>s|min|h)")
_SECONDS: Final = {"s": 1.0, "min": 60.0, "h": 3600.0}


class BadRate(EngineError):
    """A rate that cannot be read."""

    def __init__(self, given: str) -> None:
        self.given = given
        super().__init__(f"{given!r} is no rate: write MODEL=CALLS/UNIT with s, min or h, such as openai:NAME=60/min")


@dataclass(frozen=True, slots=True)
class Rate:
    """`calls` of a model in `period` seconds, evenly. `model` is what instances and activities call it."""

    model: str
    calls: int
    period: float

    @property
    def interval(self) -> float:
        """Seconds from one call to the next."""
        return self.period / self.calls


def rate_of(text: str) -> Rate:
    """`MODEL=CALLS/UNIT`. Raises BadRate."""
    found = _FORM.fullmatch(text)
    if found is None:
        raise BadRate(text)
    return Rate(found["model"], int(found["calls"]), _SECONDS[found["unit"]])


class Places(Protocol):
    """Gives each call of a model its time."""

    def take(self, model: str, interval: float, burst: int) -> float:
        """How many seconds to wait before the call."""
        ...


class Pace:
    """Lets each call of a model that has a rate wait for its time."""

    def __init__(self, rates: Iterable[Rate], places: Places, wait: Callable[[float], None]) -> None:
        self._rates = {rate.model: rate for rate in rates}
        self._places, self._wait = places, wait

    def of(self, spec: str, model: ChatModel) -> ChatModel:
        """The model that `spec` names, behind its rate if it has one."""
        rate = self._rates.get(spec)
        return model if rate is None else Paced(model, lambda: self._hold(rate))

    def _hold(self, rate: Rate) -> None:
        seconds = self._places.take(rate.model, rate.interval, 1)
        if seconds > 0:
            self._wait(seconds)


class Paced:
    """A model in front of another, called no faster than it may be."""

    def __init__(self, model: ChatModel, hold: Callable[[], None]) -> None:
        self._model, self._hold = model, hold
        self.name = model.name

    def answer(self, request: ModelRequest) -> ModelAnswer:
        self._hold()
        return self._model.answer(request)

    def stream(self, request: ModelRequest, hear: Hear) -> ModelAnswer:
        """Streams where the model can; where not, all is heard at once."""
        if not isinstance(self._model, StreamingModel):
            answer = self.answer(request)
            hear(answer.text)
            return answer
        self._hold()
        return self._model.stream(request, hear)

    def has_chains(self) -> bool:
        """Whether it can think for governance; a recording can where it has turns for that."""
        return not isinstance(self._model, Recorded) or self._model.has_chains()
