"""Runs a sample in this process, where its clock can be moved and its prompts be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import orjson
import yaml

from engine.activities.agent import AgentHandler
from engine.activities.choose import ActivityHandlers
from engine.activities.registry import HandlerRegistry
from engine.embedding import RuleSummaries
from engine.governor import Governor
from engine.models.base import ModelAnswer, ModelRequest
from engine.models.recording import Recording
from engine.models.replay import ReplayModel
from engine.people.answerers import FileAnswerer
from engine.people.answers import PreparedAnswer, PreparedAnswers
from engine.people.answers_file import read_answers
from engine.people.conversation import Conversation
from engine.prompts.assembler import PromptAssembler
from engine.result import RunResult
from engine.store.database import Database
from engine.store.ids import RandomIds
from engine.store.store import SqlStore
from governance.ports import FixedClock

ROLES: Final = ("on-call", "head-of-claims", "procurement-lead")
"""Whoever answers in a test may answer everything."""

STARTER: Final = "starter"

Turn = Mapping[str, Any]
"""A recorded turn as it stands in a `model.yaml`."""


class Listening:
    """A model that gives recorded turns, and keeps what it was asked and what it said."""

    def __init__(self, recorded: ReplayModel) -> None:
        self._recorded, self.name = recorded, recorded.name
        self.calls: list[tuple[ModelRequest, ModelAnswer]] = []

    def answer(self, request: ModelRequest) -> ModelAnswer:
        answer = self._recorded.answer(request)
        self.calls.append((request, answer))
        return answer


class Inside:
    """One instance of a sample. `turns` come before those of its `model.yaml`."""

    def __init__(self, sample: Path, database: Path, turns: Sequence[Turn] = ()) -> None:
        self.sample = sample
        self.clock = FixedClock(datetime(2026, 3, 17, 9, 8, 10, tzinfo=UTC))
        self.model = Listening(_model(sample, turns))
        handlers = _handlers(sample, self.model)
        self.governor = Governor(
            SqlStore(Database(str(database))),
            clock=self.clock,
            ids=RandomIds(),
            summariser=RuleSummaries(),
            handlers=lambda settings: handlers,
        )
        variables = orjson.loads((sample / "variables.json").read_bytes())
        self.result = self.governor.start(self.governor.check(sample / "process.bpmn"), variables, starter=STARTER)

    def go_on(self, *answers: PreparedAnswer) -> RunResult:
        """Run on with these answers alone; without any, with the sample's."""
        prepared = PreparedAnswers(answers) if answers else read_answers(self.sample / "answers.yaml")
        self.result = Conversation(self.governor, [FileAnswerer(prepared, "tester", ROLES)]).go_on(self.result)
        return self.result

    def wait(self, time: timedelta) -> RunResult:
        """Let time pass."""
        self.clock.move_to(self.clock.now() + time)
        self.result = self.governor.resume(self.result.instance)
        return self.result

    def close(self) -> None:
        self.governor.store.close()

    def visited(self) -> list[str]:
        """The activities that were done, in their order."""
        return [each["activity"] for each in self.result.decisions["D1"]]


def done(element: str, **outputs: Any) -> PreparedAnswer:
    return PreparedAnswer(element=element, outputs=outputs, file="test", line=1)


def decided(element: str, decision: Any, values: Mapping[str, Any] | None = None) -> PreparedAnswer:
    return PreparedAnswer(element=element, decision=decision, values=values, file="test", line=1)


def _model(sample: Path, turns: Iterable[Turn]) -> ReplayModel:
    recorded = yaml.safe_load((sample / "model.yaml").read_text(encoding="utf-8"))["turns"]
    return ReplayModel(Recording.model_validate({"turns": [*turns, *recorded]}), str(sample / "model.yaml"))


def _handlers(sample: Path, model: Listening) -> ActivityHandlers:
    registry = HandlerRegistry.of_modules([str(sample / "handlers.py")])
    return ActivityHandlers(registry, AgentHandler(lambda spec: model, PromptAssembler()), lambda spec: model)
