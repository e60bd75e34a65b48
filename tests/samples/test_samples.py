"""Every sample comes to what its `expected.json` says, in a process of its own with a database of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.cli.command import Told, governor, governor_child
from tests.samples.comparison import compared, difference, text
from tests.samples.folders import SAMPLES, options, process

each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)


def test_there_are_samples() -> None:
    assert SAMPLES


@each_sample
def test_a_sample_comes_to_what_it_says(sample: Path, tmp_path: Path) -> None:
    told = governor_child("run", process(sample), *options(sample), "--db", str(tmp_path / "runs.db"), "--json")
    assert told.code == 0, told.err + told.out
    assert told.err == ""
    changed = difference((sample / "expected.json").read_text(encoding="utf-8"), text(compared(told.json)))
    if changed:
        pytest.fail(f"{changed}\n\nIf this is right: python -m tests.samples.refresh, and look at git diff", False)


@each_sample
def test_nothing_is_found_in_a_sample(sample: Path) -> None:
    handlers = ["--handlers", str(sample / "handlers.py")] if (sample / "handlers.py").is_file() else []
    told = governor("check", process(sample), *handlers, "--json")
    assert told.code == 0
    assert told.json["findings"] == []


@each_sample
def test_a_sample_runs_in_simulation_with_nothing_but_its_file(sample: Path, tmp_path: Path) -> None:
    told: Told = governor("run", process(sample), "--simulate", "--db", str(tmp_path / "runs.db"), "--json")
    assert told.code == 0, told.err
    assert told.json["status"] == "completed"
