"""Runs that are stored, for looking at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.embedding import open_governor
from engine.governor import Governor
from engine.report.model.report import Report, make_report
from engine.report.run import Run, read_run
from tests.engine.report.stories import told_demo, told_story


@pytest.fixture
def governor(tmp_path: Path) -> Iterator[Governor]:
    opened = open_governor(str(tmp_path / "runs.db"))
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A small run in which everything happens: see `stories`."""
    opened = open_governor(str(tmp_path_factory.mktemp("story") / "runs.db"))
    yield read_run(opened.store, told_story(opened))
    opened.close()


@pytest.fixture(scope="session")
def report(story: Run) -> Report:
    return make_report(story)


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """The sample that people see first."""
    opened = open_governor(str(tmp_path_factory.mktemp("demo") / "runs.db"))
    yield read_run(opened.store, told_demo(opened))
    opened.close()
