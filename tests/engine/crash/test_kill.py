"""kill -9 at every commit point of a process: nothing is lost, nothing is done twice that was known to be done."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.engine.crash.process import FINAL
from tests.engine.store.states import everything


@dataclass(frozen=True)
class Run:
    """One run, over one program or two. A line of the log is (what, name)."""

    place: Path
    outcome: dict[str, Any]
    programs: list[list[tuple[str, str]]]

    @classmethod
    def read(cls, place: Path) -> Run:
        lines = [line.partition(" ")[::2] for line in (place / "log").read_text().splitlines()]
        starts = [number for number, (what, _) in enumerate(lines) if what == "program"]
        programs = [lines[first:end] for first, end in zip(starts, [*starts[1:], len(lines)], strict=True)]
        return cls(place, json.loads((place / "outcome.json").read_text()), programs)

    def calls(self, what: str, program: int) -> list[str]:
        return [name for kind, name in self.programs[program] if kind == what]

    def unfinished(self, what: str, *done: str) -> list[str]:
        """Calls of the first program after the last line that says they were made durable."""
        lines = self.programs[0]
        last = max((number for number, (kind, _) in enumerate(lines) if kind in done), default=-1)
        return [name for kind, name in lines[last + 1 :] if kind == what]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Run]:
    folder = tmp_path_factory.mktemp("crash")
    child = subprocess.run(
        [sys.executable, "-m", "tests.engine.crash.child", str(folder)], capture_output=True, text=True
    )
    assert (child.returncode, child.stderr) == (0, "")
    return {int(place.name): Run.read(place) for place in folder.iterdir()}


def test_the_process_goes_through_all_of_it(runs: dict[int, Run]) -> None:
    whole = runs[0]
    assert (whole.outcome["status"], whole.outcome["variables"]) == ("completed", FINAL)
    happened = {kind for _, kind, _, _ in whole.outcome["events"]}
    assert happened >= {"D2", "D3", "work_item_completed", "intervention_raised", "intervention_answered", "gateway"}
    assert whole.outcome["points"] == len(runs) - 1 > 20


def test_each_was_killed_at_its_point(runs: dict[int, Run]) -> None:
    for point in range(1, len(runs)):
        ended = [run[-1] for run in runs[point].programs]
        assert ended == [("ended", str(-signal.SIGKILL)), ("ended", "0")], point


def test_the_outcome_is_that_of_the_run_that_nobody_killed(runs: dict[int, Run]) -> None:
    whole = runs[0].outcome
    for point, run in runs.items():
        assert {**run.outcome, "points": 0} == {**whole, "points": 0}, point


def test_the_journal_is_empty_in_the_end(runs: dict[int, Run]) -> None:
    for point, run in runs.items():
        assert everything(run.place / "governor.db")["gov_journal"] == [], point


def test_no_work_is_lost(runs: dict[int, Run]) -> None:
    every = sorted(runs[0].calls("job", 0))
    assert len(set(every)) == len(every) == 9
    for point in range(1, len(runs)):
        done = {*runs[point].calls("job", 0), *runs[point].calls("job", 1)}
        assert sorted(done) == every, point


def test_only_work_whose_result_was_not_committed_is_done_again_under_the_same_key(runs: dict[int, Run]) -> None:
    again_somewhere = 0
    for point in range(1, len(runs)):
        run = runs[point]
        again = sorted({*run.calls("job", 0)} & {*run.calls("job", 1)})
        assert again == sorted(run.unfinished("job", "committed")), point
        again_somewhere += len(again)
    assert again_somewhere > 5


def test_a_model_is_asked_again_only_if_its_answer_was_not_kept(runs: dict[int, Run]) -> None:
    asked = runs[0].calls("model", 0)
    assert len(asked) == 2
    again_somewhere = 0
    for point in range(1, len(runs)):
        run = runs[point]
        again = {*run.calls("model", 0)} & {*run.calls("model", 1)}
        assert again == {*run.unfinished("model", "journaled", "committed")}, point
        assert {*run.calls("model", 0), *run.calls("model", 1)} == {*asked}, point
        again_somewhere += len(again)
    assert again_somewhere == 2
