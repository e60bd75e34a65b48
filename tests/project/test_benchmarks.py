"""What `make bench` runs comes to its end, and prints what it says."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.figures import Figure, document, figures_in
from benchmarks.processes import CASES
from benchmarks.run import PAGE, page
from benchmarks.ways import driver, governed, stock, stored


@pytest.fixture(autouse=True)
def _recursion_limit() -> Iterator[None]:
    """The library's own parser needs a deep stack, which the tests after these must not be given."""
    before = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize("name", CASES)
def test_each_case_runs_in_each_way(name: str, tmp_path: Path) -> None:
    source = CASES[name](4)
    for way in (stock, driver, governed, stored(tmp_path)):
        way(source)()()


@pytest.mark.parametrize(
    ("value", "better", "reached"),
    [(2.0, "higher", True), (0.5, "higher", False), (0.5, "lower", True), (None, "lower", None)],
)
def test_a_figure_tells_whether_its_goal_is_reached(value: float | None, better: str, reached: bool | None) -> None:
    figure = Figure(name="speed.x.ratio", value=value, unit="times", better=better, goal=1.0)  # type: ignore[arg-type]
    assert figure.reached is reached
    assert figures_in(json.loads(json.dumps(document([figure])))) == [figure]


def test_another_table_leaves_the_text_of_the_page() -> None:
    before = PAGE.read_text(encoding="utf-8")
    after = page(before, [Figure(name="speed.x", value=1.0, unit="s", better="lower")])
    assert "| `speed.x` | 1 | s |" in after
    assert after.partition("<!--")[0] == before.partition("<!--")[0]
