"""The benchmark of dead ends: logs are read as they are meant, and what it counts can go wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.amnesiac import World, process_figures, run
from benchmarks.dead_ends import log_figures, match_figure
from benchmarks.replaying import Likenesses, replay
from benchmarks.retry_logs import Step, read

TRIAL = """
Question: Who painted it?
Thought 1: Search.
Action 1: Search[the painter]
Observation 1: Could not find the painter. Similar: []
Thought 2: Look it up.
Action 2: Search[The painting]
Observation 2: A page about it.
Thought 3: Done.
Action 3: Finish[Bob]
Observation 3: Answer is INCORRECT
"""


def log(*trials: str) -> str:
    return "".join(f"#####\nBEGIN TRIAL {number}\n#####\n{text}" for number, text in enumerate(trials))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "ReAct" / "base"
    place.mkdir(parents=True)
    (place / "2_questions_3_trials.txt").write_text(log(TRIAL, TRIAL, TRIAL.replace("INCORRECT", "CORRECT"), TRIAL))
    call = {"id": "1", "function": {"name": "book", "arguments": '{"seat": 1}'}}
    messages = [
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "Error: the seat is taken"},
    ]
    runs = [{"task_id": 1, "trial": trial, "traj": messages} for trial in (0, 1)]
    (tmp_path / "airline.json").write_text(json.dumps(runs))
    (tmp_path / "other.json").write_text('{"x": 1}')
    return tmp_path


def test_logs_are_read_to_the_first_right_answer(folder: Path) -> None:
    sets = dict(read(folder))
    assert sorted(sets) == ["airline", "hotpotqa_base_3"]
    (case,) = sets["hotpotqa_base_3"]
    assert [[(step.tool, step.failed) for step in run] for run in case[:1]] == [
        [("search", True), ("search", False), ("finish", True)]
    ]
    assert len(case) == 3
    assert [step.arguments for run in sets["airline"][0] for step in run] == [{"seat": 1}] * 2


def test_repeats_are_counted_and_refused(folder: Path) -> None:
    figures = {figure.name: figure for figure in log_figures(folder)}
    exact = figures["dead_ends.hotpotqa_base_3.exact_repeats"]
    assert (exact.value, round(exact.baselines["without registry"])) == (0, 50)
    assert figures["dead_ends.hotpotqa_base_3.false_blocks"].value == 25, "the last answer was right after all"
    assert figures["dead_ends.airline.avoided"].value == 50


def test_what_is_let_pass_counts_against_it() -> None:
    """Nearly the same, and failing again, is a near duplicate that was let pass."""
    def step(text: str) -> Step:
        return Step("search", {"q": text}, "", True, "nothing")

    texts = ["the history of the city of Bern in the year 1848", "the history of the city of Bern in the years 1848"]
    counts = replay([[[step(each) for each in texts]]], Likenesses(step(each).text for each in texts))
    assert (counts.near_failures, counts.near_passed, counts.exact_passed) == (1, 1, 0)


def test_the_agent_forgets_without_a_registry_and_does_not_with_one() -> None:
    repeats, reached = process_figures(60)
    assert (repeats.value, reached.value) == (0, 0)
    assert run(60, "off", 3).repeats > 0


def test_problems_come_back() -> None:
    world = World(1)
    assert [world.after(visit) for visit in range(15)] == [*range(7), *range(7), 7]


def test_a_match_is_measured() -> None:
    figure = match_figure(200)
    assert figure.value is not None
    assert figure.value > 0
