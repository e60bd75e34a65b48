"""Kill -9 somewhere in a process of each kind, on each database: what it comes to is what it would have been.

A choice of the matrix in which each kind meets each database, and each point some kinds; `matrix` as a program plays
all of it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engine.crash.kinds import KINDS
from tests.engine.crash.matrix import Places, differences, killed, whole
from tests.engine.postgres import Cluster, Fresh

EACH = 5
"""Of the points of a kind, one of so many is tried on a database."""
DATABASES = ("sqlite", "postgresql")


@pytest.fixture(params=DATABASES)
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Places:
    (tmp_path / "killed").mkdir()
    if request.param == "sqlite":
        return Places(tmp_path / "killed", lambda path: path)
    cluster: Cluster = request.getfixturevalue("postgres")
    template: str = request.getfixturevalue("postgres_template")
    fresh = Fresh(cluster, template)
    return Places(tmp_path / "killed", lambda _: fresh.url())


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_run_that_was_killed_comes_to_the_same(
    kind: str, places: Places, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    (tmp_path / "whole").mkdir()
    before = whole(Places(tmp_path / "whole", lambda path: path).new(), kind)
    first, *_ = before.outcome["instances"][::-1]
    assert {each["status"] for each in before.outcome["instances"]} == {"completed"}
    assert len(before.outcome["instances"]) == KINDS[kind].instances
    assert KINDS[kind].final.items() <= first["variables"].items()
    shift = list(KINDS).index(kind) + 2 * DATABASES.index(request.node.callspec.params["places"])
    points = [each for each in range(1, before.outcome["points"] + 1) if (each + shift) % EACH == 0]
    for point in points or [1 + shift % before.outcome["points"]]:
        assert differences(before, killed(places.new(), kind, point)) == [], point


def test_what_goes_wrong_is_seen(tmp_path: Path) -> None:
    """The comparison itself: of a run in which an effect came too often, one is lost, and a token is."""
    new = Places(tmp_path, lambda path: path).new
    before, after = whole(new(), "serviceTask"), killed(new(), "serviceTask", 8)
    assert differences(before, after) == []
    log, outcome = after.folder / "log", after.folder / "outcome.json"
    lines, told = log.read_text(), outcome.read_text()
    job = next(name for kind, name in before.log if kind == "job")
    faults: list[tuple[Callable[[], object], str]] = [
        (lambda: log.write_text(lines.replace(f"job {job}\n", "")), f"job {job} was lost"),
        (lambda: log.write_text(f"{lines}job {job}\n"), f"job {job} was done again"),
        (lambda: log.write_text(f"{lines}job other\n"), "job other is new"),
        (lambda: outcome.write_text(told.replace("activity_completed", "activity_started", 1)), "events"),
        (lambda: outcome.write_text(told.replace('"live": ', '"live": 1')), "live"),
        (lambda: log.write_text(lines.replace("ended -9", "ended 0")), "it was not killed"),
    ]
    for spoil, word in faults:
        log.write_text(lines)
        outcome.write_text(told)
        spoil()
        assert any(word in each for each in differences(before, after)), word
