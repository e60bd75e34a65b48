"""What instances left for others, dead ends, knowledge and failures, is told without what is personal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.activities.work import Finding, Outcome
from engine.personal.masking import MASK
from tests.engine.cli.command import governor
from tests.engine.replay.models import flows, house, model

NAME = "Maria Musterfrau"
CLAIM = model(
    '<extensionElements><gov:policy personalKeys="customer"/></extensionElements>',
    '<startEvent id="s"/><serviceTask id="call" gov:jobType="x"/><serviceTask id="pay" gov:jobType="x"/>',
    '<endEvent id="e"/>',
    flows("s>call", "call>pay", "pay>e"),
)


def call(work: Any) -> Outcome:
    return Outcome(findings=(Finding(f"{work.variables['customer']} wants to be called in the evening"),))


def pay(work: Any) -> Outcome:
    raise ValueError(f"nobody called {work.variables['customer']} is known")


@pytest.fixture
def db(tmp_path: Path) -> str:
    with house(tmp_path / "governor.db", {"call": call, "pay": pay}) as at:
        instance = at.start(CLAIM, {"customer": NAME})
        at.governor.register_dead_end(instance, "greeting", f"Dear {NAME}", f"{NAME} does not want it", by="lea")
    return str(tmp_path / "governor.db")


@pytest.mark.parametrize("command", [("dead-ends", "list", "--ended"), ("knowledge", "list"),
                                     ("dead-ends", "export", "-", "--ended"), ("incidents",)])  # fmt: skip
def test_lists_are_masked_but_for_who_has_the_right(db: str, command: tuple[str, ...]) -> None:
    for more in ([], [] if "export" in command else ["--json"]):
        told = governor(*command, *more, "--db", db)
        assert (told.code, NAME in told.out, MASK in told.out) == (0, False, True), told.out
    whole = governor(*command, "--personal", "--role", "privacy", "--db", db)
    assert (whole.code, NAME in whole.out) == (0, True), whole.out
    refused = governor(*command, "--personal", "--db", db)
    assert (refused.code, NAME in refused.out) == (2, False)


@pytest.mark.parametrize("kind", ["dead-ends", "knowledge"])
def test_one_of_them_is_masked_with_all_that_happened_to_it(db: str, kind: str) -> None:
    every = "--ended" if kind == "dead-ends" else "--all"
    listed = governor(kind, "list", every, "--json", "--db", db).json
    found = listed["dead_ends" if kind == "dead-ends" else "items"]
    assert found
    for at in [each["id"] for each in found]:
        for more in ([], ["--json"]):
            told = governor(kind, "show", at, *more, "--db", db)
            assert (told.code, NAME in told.out, MASK in told.out) == (0, False, True), told.out
        whole = governor(kind, "show", at, "--personal", "--role", "privacy", "--db", db)
        assert (whole.code, NAME in whole.out) == (0, True), whole.out
