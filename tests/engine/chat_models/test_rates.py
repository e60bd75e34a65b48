"""A model that has a rate waits for its time, streamed or not; which time that is, somebody else says."""

from __future__ import annotations

import pytest

from engine.models.base import ChatModel, Hear, ModelAnswer, ModelRequest
from engine.models.choose import Models
from engine.models.rates import Pace, Paced, rate_of
from tests.engine.chat_models.requests import a_request


class Times:
    """Places that are so many seconds away, one after the other; what was asked for."""

    def __init__(self, *seconds: float) -> None:
        self._left, self.taken = list(seconds), list[tuple[str, float, int]]()

    def take(self, model: str, interval: float, burst: int) -> float:
        self.taken.append((model, interval, burst))
        return self._left.pop(0)


class Whole:
    """Answers; `log` has each call, with the waits before it."""

    name = "whole"

    def __init__(self, log: list[object]) -> None:
        self._log = log

    def answer(self, request: ModelRequest) -> ModelAnswer:
        self._log.append("answer")
        return ModelAnswer(text="Yes.")


class InPieces(Whole):
    """The same, and streams."""

    def stream(self, request: ModelRequest, hear: Hear) -> ModelAnswer:
        self._log.append("stream")
        hear("Ye")
        hear("s.")
        return ModelAnswer(text="Yes.")


def test_each_call_waits_for_its_own_time_and_none_that_has_come() -> None:
    log, times = list[object](), Times(0.0, 3.0, 0.5)
    model = Pace([rate_of("openai:a=20/min")], times, log.append).of("openai:a", Whole(log))
    for _ in range(3):
        assert model.answer(a_request()).text == "Yes."
    assert log == ["answer", 3.0, "answer", 0.5, "answer"]
    assert times.taken == [("openai:a", 3.0, 1)] * 3


@pytest.mark.parametrize(("kind", "heard", "called"), [(Whole, ["Yes."], "answer"), (InPieces, ["Ye", "s."], "stream")])
def test_a_streamed_call_waits_once_too(kind: type[Whole], heard: list[str], called: str) -> None:
    log, pieces = list[object](), list[str]()
    model = Pace([rate_of("m=1/s")], Times(2.0), log.append).of("m", kind(log))
    assert isinstance(model, Paced)
    assert model.stream(a_request(), pieces.append).text == "Yes."
    assert (pieces, log) == (heard, [2.0, called])


def test_only_a_model_that_has_a_rate_is_held_back() -> None:
    pace = Pace([rate_of("m=1/s")], Times(), lambda seconds: None)
    other: ChatModel = Whole([])
    assert pace.of("other", other) is other


def test_the_models_of_a_run_go_by_what_instances_call_them() -> None:
    models = Models("offline", pace=Pace([rate_of("offline=1/s")], Times(), lambda seconds: None))
    assert isinstance(models(None), Paced)
