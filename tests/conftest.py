"""What all tests share: nothing is skipped in CI, nothing touches the user's own data, examples are found quickly."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator, Iterable, Iterator

import pytest
from hypothesis import settings

LIVE = "GOVERNOR_LIVE_MODEL"
"""Names the model, such as `openai:NAME`, that tests marked `live` call."""

IN_CI = os.environ.get("GOVERNOR_CI") == "1"

settings.register_profile("work", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if IN_CI else "work")


@pytest.fixture(autouse=True, scope="session")
def private_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A run started by a test, here or in a child process, keeps its database out of the user's folders."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
            patch.setenv(variable, str(home / variable.lower()))
        yield


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests of a real endpoint are left out where none is configured: they cost money, and are no part of the suite."""
    if LIVE in os.environ:
        return
    left_out = [item for item in items if "live" in item.keywords]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if "live" not in item.keywords]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI a skipped test is a failed one; an expected failure (xfail) stays what it is."""
    report = yield
    if IN_CI and report.skipped and not hasattr(report, "wasxfail"):
        _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """In CI a module that skips itself whole is an error."""
    report = yield
    if IN_CI and report.skipped:
        _refuse_skip(report)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line for each thing that is not here, however many tests need it."""
    skipped: Iterable[pytest.TestReport] = terminalreporter.getreports("skipped")
    reasons = Counter(str(report.longrepr[2]) for report in skipped if isinstance(report.longrepr, tuple | list))
    for reason, number in sorted(reasons.items()):
        terminalreporter.write_line(f"{number} skipped: {reason.removeprefix('Skipped: ')}")


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    _, line, reason = report.longrepr if isinstance(report.longrepr, tuple) else ("", 0, str(report.longrepr))
    report.outcome = "failed"
    report.longrepr = f"skipped under GOVERNOR_CI=1, where nothing may be (line {line}): {reason}"
