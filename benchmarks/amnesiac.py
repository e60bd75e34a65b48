"""A long process with an agent that forgets: it knows what its context shows, and nothing else.

Problems come one after the other, and each comes back once more. To each there are many options, of which one works.
The agent proposes an option, a service tries it. The agent takes what its prompt says works, else any option that
it does not say failed. The window of its model is small beside the length of the process.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from benchmarks.figures import Figure
from benchmarks.ways import Untouched
from bpmn.load import load
from engine.activities.agent import AgentHandler
from engine.activities.choose import ActivityHandlers
from engine.activities.job import Job
from engine.activities.registry import HandlerRegistry
from engine.activities.work import DeadEndNote, Outcome
from engine.governor import Governor
from engine.models.base import ChatModel, ModelAnswer, ModelRequest
from engine.prompts.assembler import PromptAssembler
from engine.store.database import Database
from engine.store.ids import SequentialIds
from engine.store.store import SqlStore
from governance.ports import FixedClock
from governance.vocabulary import Producer

PROCESS: Final = b"""<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
  xmlns:gov="urn:bpmn-governor:governance:1.0" targetNamespace="t"><process id="repair" isExecutable="true">
<startEvent id="s"/><exclusiveGateway id="again"/>
<serviceTask id="choose" name="Choose an option"><extensionElements><gov:agent outputs="option:string"/>
<gov:policy windowTokens="4000"/>
</extensionElements><ioSpecification><dataInput id="i1" name="problem"/></ioSpecification></serviceTask>
<serviceTask id="try" name="Try it" gov:jobType="try"><ioSpecification><dataInput id="i2" name="problem"/>
<dataInput id="i3" name="option"/></ioSpecification></serviceTask>
<exclusiveGateway id="more" default="f5"/><endEvent id="e"/>
<sequenceFlow id="f1" sourceRef="s" targetRef="again"/><sequenceFlow id="f2" sourceRef="again" targetRef="choose"/>
<sequenceFlow id="f3" sourceRef="choose" targetRef="try"/><sequenceFlow id="f4" sourceRef="try" targetRef="more"/>
<sequenceFlow id="f5" sourceRef="more" targetRef="again"/>
<sequenceFlow id="f6" sourceRef="more" targetRef="e"><conditionExpression>done</conditionExpression></sequenceFlow>
</process></definitions>"""

_OPTIONS: Final = 16
_KEPT: Final = 8
_VERBS: Final = ("restart", "drain", "roll back", "scale out", "reindex", "patch", "fail over", "clear")
_THINGS: Final = ("the cache", "the queue", "the gateway", "the replica", "the scheduler", "the pool", "the index")
_BACK_AFTER: Final = 7
"""A problem comes back after so many others."""


@dataclass(slots=True)
class World:
    """The problems, and what is counted: what was proposed, how often after a failure, how often what had failed."""

    turns: int
    proposed: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    retries: int = 0
    repeats: int = 0
    tried: int = 0
    tried_again: int = 0
    failed: set[str] = field(default_factory=set)
    begun: set[int] = field(default_factory=set)

    def options(self, problem: int) -> list[str]:
        rng = random.Random(problem)
        names = [f"{verb} {thing}" for verb in _VERBS for thing in _THINGS]
        return [f"p{problem}: {name}" for name in rng.sample(names, _OPTIONS)]

    def right(self, problem: int) -> str:
        return random.Random(1_000 + problem).choice(self.options(problem))

    def after(self, visit: int) -> int:
        """The problem of a visit: 0 1 ... 6, 0 1 ... 6, 7 8 ... 13, 7 8 ... 13 and so on."""
        group, place = divmod(visit, 2 * _BACK_AFTER)
        return group * _BACK_AFTER + place % _BACK_AFTER

    def propose(self, option: str, problem: int) -> None:
        self.proposed.append(option)
        self.retries += problem in self.begun
        self.repeats += option in self.failed

    def try_option(self, job: Job) -> Outcome:
        visit, option = job.variables["visit"], job.variables["option"]
        problem = self.after(visit)
        self.tried += 1
        self.tried_again += option in self.failed
        done = self.tried >= self.turns
        if option == self.right(problem):
            self.results.append(f"{option} works")
            outputs = {"visit": visit + 1, "problem": f"p{self.after(visit + 1)}", "done": done}
            return Outcome(outputs=outputs, decision=f"{option} works", producer=Producer.SERVICE)
        self.failed.add(option)
        self.results.append(f"{option} does not help")
        self.begun.add(problem)
        note = DeadEndNote("option", option, "the errors go on", ("choose", "try"))
        outputs = {"visit": visit, "done": done}
        told = f"{option} does not help"
        return Outcome(outputs=outputs, decision=told, producer=Producer.SERVICE, dead_ends=(note,))


class Amnesiac:
    """The agent: it takes what works, else any option that it does not see fail.

    What it sees is its prompt, or where `window` is given the last so many turns and nothing else.
    """

    name = "amnesiac"

    def __init__(self, world: World, window: int | None = None) -> None:
        self._world, self._window = world, window

    def answer(self, request: ModelRequest) -> ModelAnswer:
        prompt = "\n".join(message.content for message in request.messages)
        found = re.search(r'^problem: "p(\d+)"$', prompt, re.MULTILINE)
        assert found is not None
        problem, world = int(found.group(1)), self._world
        told = prompt if self._window is None else "\n".join(world.results[-self._window :])
        options = world.options(problem)
        left = [option for option in options if f"{option} does not help" not in told]
        left = [option for option in left if f"option: {option}. Failed" not in told]
        works = [option for option in options if f"{option} works" in told]
        option = random.Random(f"{problem}:{len(world.proposed)}").choice(works or left or options)
        world.propose(option, problem)
        return ModelAnswer(text=f"Trying {option}.", outputs={"option": option}, confidence=0.9)


def run(turns: int, reach: str, window: int | None = None) -> World:
    """The process once, with a setting of `dead_ends`; with a `window` the agent sees that many turns, no prompt."""
    world = World(turns)
    model: ChatModel = Amnesiac(world, window)

    def models(spec: str | None) -> ChatModel:
        return model

    handlers = ActivityHandlers(
        HandlerRegistry({"try": world.try_option}), AgentHandler(models, PromptAssembler()), models
    )
    with tempfile.TemporaryDirectory() as folder:
        governor = Governor(
            SqlStore(Database(str(Path(folder) / "runs.db"), synchronous="OFF")),
            clock=FixedClock(datetime(2026, 1, 1, tzinfo=UTC)),
            ids=SequentialIds("i"),
            summariser=Untouched(),
            handlers=lambda settings: handlers,
        )
        variables: Mapping[str, Any] = {"visit": 0, "problem": "p0"}
        result = governor.start(load(PROCESS, file="repair.bpmn"), variables, settings={"dead_ends": reach})
        assert result.status == "completed", (reach, world.tried, result.status, result.reason, result.waiting)
        governor.store.close()
    return world


def process_figures(turns: int) -> Iterator[Figure]:
    """Without a registry, with one that only tells, and with one that refuses."""
    without, told, refused = (run(turns, reach) for reach in ("off", "told", "process"))
    last = run(turns, "off", _KEPT)
    where = (
        f"generated: {told.tried} turns, {_OPTIONS} options a problem, each problem twice, "
        f"a scripted agent that knows what its prompt shows; {told.retries} retries"
    )
    yield Figure(
        name="dead_ends.process.proposed_repeats",
        value=_share(told.repeats, told.retries),
        unit="%",
        better="lower",
        goal=5.0,
        baselines={
            "without registry": _share(without.repeats, without.retries),
            f"last {_KEPT} turns": _share(last.repeats, last.retries),
        },
        conditions=f"{where}; told, nothing refused",
    )
    yield Figure(
        name="dead_ends.process.reached_tool",
        value=float(refused.tried_again),
        unit="attempts",
        better="lower",
        goal=0.0,
        baselines={
            "without registry": float(without.tried_again),
            f"last {_KEPT} turns": float(last.tried_again),
            "told alone": float(told.tried_again),
        },
        conditions=f"{where}; refused",
    )


def _share(part: int, whole: int) -> float:
    return 100 * part / max(1, whole)
