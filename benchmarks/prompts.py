"""How much of an agent's prompt is what a provider has read before, and need not read again.

python -m benchmarks.prompts [SAMPLE...] [--json] [--show DIR]

A sample is a folder as in `samples/`. Each is run once, with its recorded answers. Of each activity run's first call
the longest beginning that it has in common with an earlier such call of the instance is reusable. `--show` writes the
prompts into files, to be looked at.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import orjson

from benchmarks.figures import Figure, show
from engine.activities.agent import AgentHandler
from engine.activities.choose import ActivityHandlers
from engine.activities.registry import HandlerRegistry
from engine.embedding import open_governor
from engine.models.base import ModelAnswer, ModelRequest
from engine.models.replay import ReplayModel
from engine.people.answerers import FileAnswerer
from engine.people.answers_file import read_answers
from engine.people.conversation import Conversation
from engine.prompts.assembler import PromptAssembler
from governance.ports import FixedClock
from governance.tokens import EstimatingCounter

SAMPLES: Final = Path(__file__).parents[1] / "samples"
DEMO: Final = "incident_response"
_GOAL: Final = 0.60
_ROLES: Final = ("on-call", "head-of-claims", "procurement-lead")


class Prompt(NamedTuple):
    """The first call of an activity run: its text, and how many characters of it an earlier one begins with."""

    activity: str
    text: str
    reusable: int


class _Listening:
    """A recorded model that keeps what it was asked."""

    def __init__(self, recorded: ReplayModel) -> None:
        self._recorded, self.name = recorded, recorded.name
        self.requests: list[ModelRequest] = []

    def answer(self, request: ModelRequest) -> ModelAnswer:
        self.requests.append(request)
        return self._recorded.answer(request)


def first_calls(sample: Path) -> list[Prompt]:
    """The first calls of a sample's activity runs, in the order they were made. Raises what the engine raises."""
    model = _Listening(ReplayModel.load(sample / "model.yaml"))
    registry = HandlerRegistry.of_modules([str(sample / "handlers.py")])
    handlers = ActivityHandlers(registry, AgentHandler(lambda spec: model, PromptAssembler()), lambda spec: model)
    clock = FixedClock(datetime(2026, 3, 17, 9, 8, 10, tzinfo=UTC))
    with (
        TemporaryDirectory() as folder,
        open_governor(f"{folder}/run.db", handlers=lambda settings: handlers, clock=clock) as governor,
    ):
        variables = orjson.loads((sample / "variables.json").read_bytes())
        result = governor.start(governor.check(sample / "process.bpmn"), variables, starter="starter")
        answerer = FileAnswerer(read_answers(sample / "answers.yaml"), "bench", _ROLES)
        result = Conversation(governor, [answerer]).go_on(result)
    if result.status != "completed":
        raise SystemExit(f"{sample.name}: {result.status}, not completed")
    return list(_measured(each for each in model.requests if each.turn == each.attempt == 1 and not each.chain))


def _measured(requests: Iterator[ModelRequest]) -> Iterator[Prompt]:
    before: list[str] = []
    for request in requests:
        # A provider reads the tools first.
        told = (*map(str, request.tools), *(f"{message.role}: {message.content}" for message in request.messages))
        text = "\n".join(told)
        yield Prompt(request.activity, text, max((_common(text, other) for other in before), default=0))
        before.append(text)


def _common(one: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def figure(name: str, prompts: Sequence[Prompt], goal: float | None = None) -> Figure:
    """The share of the tokens. Beside it, that without the first call, of which nothing can be reusable, and that of
    lines which stood in an earlier call somewhere: no order of them could have more.
    """
    counter = EstimatingCounter()
    tokens = [counter.count(each.text) for each in prompts]
    reusable = sum(counter.count(each.text[: each.reusable]) for each in prompts)
    seen: set[str] = set()
    known = 0
    for each in prompts:
        lines = each.text.splitlines()
        known += sum(counter.count(line) for line in lines if line in seen)
        seen.update(lines)
    return Figure(
        name=f"prompts.reusable_prefix_share.{name}",
        value=reusable / sum(tokens), unit="share", better="higher", goal=goal,
        baselines={"without the first call": reusable / max(1, sum(tokens[1:])), "known lines": known / sum(tokens)},
        conditions=f"first calls of {len(prompts)} activity runs, {sum(tokens):,} tokens",
    )  # fmt: skip


def _write(folder: Path, prompts: Sequence[Prompt]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, each in enumerate(prompts, 1):
        text = f"{each.text[: each.reusable]}⟦new from here⟧{each.text[each.reusable :]}"
        (folder / f"{number:02}_{each.activity}.txt").write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prompts")
    parser.add_argument("samples", nargs="*", type=Path, metavar="SAMPLE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--show", type=Path, metavar="DIR")
    options = parser.parse_args()
    figures = []
    for sample in options.samples or sorted(file.parent for file in SAMPLES.glob("*/process.bpmn")):
        prompts = first_calls(sample)
        figures.append(figure(sample.name, prompts, _GOAL if sample.name == DEMO else None))
        if options.show is not None:
            _write(options.show / sample.name, prompts)
    show(figures, as_json=options.json)


if __name__ == "__main__":
    main()
