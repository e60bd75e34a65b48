"""What `make bench` runs comes to its end, and prints what it says."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.bpmn_engine import BpmnEngine, find, in_javascript
from benchmarks.contexts import step_by_step
from benchmarks.duties import DUTIES, column, duty_of
from benchmarks.figures import Figure, document, figures_in
from benchmarks.parts import PARTS, shares
from benchmarks.processes import CASES, changing_sequence
from benchmarks.run import PAGE, page
from benchmarks.ways import deployed, driver, governed, governed_run, stock, stored
from governance.snapshots import graph
from governance.snapshots.commits import make_commit
from governance.snapshots.model import Commit


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
    after = page(before, [Figure(name="speed.x", value=1.0, unit="s", better="lower")], ["| part |"])
    assert "## Where the time goes" in after
    assert "| part |" in after
    assert "| `speed.x` | 1 | s |" in after
    assert after.partition("<!--")[0] == before.partition("<!--")[0]


def test_the_same_processes_run_in_javascript() -> None:
    loop = in_javascript(CASES["loop"](4)).decode()
    assert "<script>environment.variables.i = environment.variables.i + 1; next();</script>" in loop
    assert 'language="javascript">next(null, environment.variables.i &lt; 4);</conditionExpression>' in loop


def test_bpmn_engine_is_left_out_with_a_line_where_it_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find(fetch=True) is None
    assert capsys.readouterr().err == "bpmn-engine is left out: there is no Node here\n"
    (tmp_path / "node").touch(mode=0o755)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert find(fetch=False) is None
    assert "--fetch-bpmn-engine installs it there" in capsys.readouterr().err


def test_a_process_that_bpmn_engine_fails_at_is_left_out_with_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert BpmnEngine("false", tmp_path).seconds(CASES["loop"](4), 1) is None
    assert capsys.readouterr().err.startswith("bpmn-engine is left out of a case: ")


def test_a_step_changes_three_keys_in_a_context_of_any_size() -> None:
    governed_run(deployed(changing_sequence(3)), {"a": 0, "b": 0, "c": 0, **{f"entry{n}": n for n in range(50)}})()


def test_each_advance_has_its_own_cost_and_size(tmp_path: Path) -> None:
    noted = step_by_step(tmp_path / "steps.db", 3)
    assert len(noted.seconds) == len(noted.sizes) == 4
    assert noted.sizes == sorted(noted.sizes)


def test_all_time_is_put_down_to_a_part() -> None:
    share, seconds = shares("sequence", count=200, seconds=0.1)
    assert set(share) == {part for part, _ in PARTS}
    assert sum(share.values()) == pytest.approx(1.0)
    assert seconds > 0


def test_all_time_is_put_down_to_a_duty() -> None:
    found = column("multi_instance", count=40, times=1, seconds=0.2)
    assert sum(found[duty] for duty in DUTIES) == pytest.approx(found["governed"])
    assert found["D3: branches come together"] > 0
    assert found["the goal allows"] == pytest.approx(found["SpiffWorkflow"] / 7)


def test_what_a_merge_calls_counts_for_the_merge(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set()

    def make(*parts: Any) -> Commit:
        commit = make_commit(*parts)
        seen.add((commit.meta.kind, duty_of(sys._getframe())))
        return commit

    monkeypatch.setattr(graph, "make_commit", make)
    governed(CASES["fan_out"](2))()()
    assert ("activity", "a snapshot and its id") in seen
    assert {duty for kind, duty in seen if kind == "D3"} == {"D3: branches come together"}
