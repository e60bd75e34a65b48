"""What instances left for others, dead ends, knowledge and failures, is told without what is personal."""

from __future__ import annotations

import sqlite3
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


@pytest.mark.parametrize("command", [("dead-ends", "list", "--ended"), ("dead-ends", "export", "-", "--ended"),
                                     ("incidents",)])  # fmt: skip
def test_lists_are_masked_but_for_who_has_the_right(db: str, command: tuple[str, ...]) -> None:
    for more in ([], [] if "export" in command else ["--json"]):
        told = governor(*command, *more, "--db", db)
        assert (told.code, NAME in told.out, MASK in told.out) == (0, False, True), told.out
    whole = governor(*command, "--personal", "--role", "privacy", "--db", db)
    assert (whole.code, NAME in whole.out) == (0, True), whole.out
    refused = governor(*command, "--personal", "--db", db)
    assert (refused.code, NAME in refused.out) == (2, False)


def test_one_of_them_is_masked_with_all_that_happened_to_it(db: str) -> None:
    found = governor("dead-ends", "list", "--ended", "--json", "--db", db).json["dead_ends"]
    assert found
    for at in [each["id"] for each in found]:
        for more in ([], ["--json"]):
            told = governor("dead-ends", "show", at, *more, "--db", db)
            assert (told.code, NAME in told.out, MASK in told.out) == (0, False, True), told.out
        whole = governor("dead-ends", "show", at, "--personal", "--role", "privacy", "--db", db)
        assert (whole.code, NAME in whole.out) == (0, "greeting" in whole.out), "why it failed is not"


def test_what_an_instance_found_out_is_kept_without_it(db: str) -> None:
    """Knowledge is brought into other instances, where nobody knows whose name that is: nobody is told, in no way."""
    (item,) = governor("knowledge", "list", "--json", "--db", db).json["items"]
    assert item["text"] == f"{MASK} wants to be called in the evening"
    for command in (("list",), ("list", "--json"), ("show", item["id"]), ("why", item["id"])):
        for more in ([], ["--personal", "--role", "privacy"]):
            told = governor("knowledge", *command, *more, "--db", db)
            assert (told.code, NAME in told.out) == (0, False), told.out
    with sqlite3.connect(db) as connection:
        assert not [body for (body,) in connection.execute("SELECT body FROM gov_knowledge") if NAME in body]
