"""Approving part of what would change: some changes of a text, some of what a compression lowers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bpmn.load import load
from engine.embedding import open_governor
from engine.governed.d1_questions import UnknownKept
from engine.governor import Governor
from engine.people.hunks import WrongHunks
from engine.result import RunResult
from governance.vocabulary import Fidelity
from tests.bpmn.files import policy
from tests.engine.cli.command import governor as command
from tests.engine.models import edges, end, model, start, user

OLD = "We pay 4 francs to Ada on Monday, and not later."
NEW = "We pay 40 francs to Ada Byron on Tuesday, and not later."
LONG = "The pump in hall four stopped at noon. Nobody was hurt, and the line was closed for an hour. " * 20
PREVIEW = policy('<gov:policy interactionLevel="DIFF_PREVIEW"/>')
TIGHT = policy('<gov:policy workingThreshold="2400" interactionLevel="DIFF_PREVIEW"/>')


def asked(path: Path, inside: str = PREVIEW, renamed: str = "") -> tuple[str, RunResult]:
    """A question about a letter that a person changed."""
    database = str(path / "governor.db")
    with open_governor(database) as governor:
        source = model(start(), user("u", inside + renamed), end(), edges("s > u > e"))
        result = governor.start(load(source, file="m.bpmn"), {"letter": OLD, "meta": {"n": 1}})
        outputs = {"letter": NEW, "meta": {"n": 2}, "fresh": "new"}
        return database, governor.complete(result.waiting[0]["id"], outputs, by="ann")


@pytest.mark.parametrize(
    ("taken", "letter"),
    [
        ([1, 2, 3], NEW),
        ([], OLD),
        ([1], "We pay 40 francs to Ada on Monday, and not later."),
        ([3, 2], "We pay 4 francs to Ada Byron on Tuesday, and not later."),
    ],
)
def test_some_changes_of_a_text_are_taken(tmp_path: Path, taken: list[int], letter: str) -> None:
    database, result = asked(tmp_path)
    with open_governor(database) as governor:
        result = governor.answer(result.waiting[0]["id"], "edit", by="li", values={"letter": {"hunks": taken}})
    assert (result.status, result.variables["letter"], result.variables["fresh"]) == ("completed", letter, "new")
    assert result.interventions[0]["answer"]["values"] == {"letter": letter}


@pytest.mark.parametrize(
    "values", [{"letter": {"hunks": [4]}}, {"letter": {"hunks": [1, 1]}}, {"fresh": {"hunks": [1]}}]
)
def test_changes_that_are_not_there_are_refused_and_nothing_moves(tmp_path: Path, values: dict[str, Any]) -> None:
    database, result = asked(tmp_path)
    with open_governor(database) as governor:
        with pytest.raises(WrongHunks):
            governor.answer(result.waiting[0]["id"], "edit", by="li", values=values)
        assert governor.result(result.instance).status == "waiting"


def test_an_object_may_have_a_field_of_that_name(tmp_path: Path) -> None:
    database, result = asked(tmp_path)
    with open_governor(database) as governor:
        result = governor.answer(result.waiting[0]["id"], "edit", by="li", values={"meta": {"hunks": [7]}})
    assert result.variables["meta"] == {"hunks": [7]}


def test_the_command_numbers_the_changes_and_takes_them(tmp_path: Path) -> None:
    database, result = asked(tmp_path)
    id = result.waiting[0]["id"]
    shown = command("inbox", "show", id, "--db", database).out
    assert "We pay [1][-4-]{+40+} francs to Ada [2]{+Byron +}on [3][-Monday-]{+Tuesday+}" in shown
    values = ("--decision", "edit", "--values", '{"letter": {"hunks": [2]}}', "--by", "li")
    told = command("inbox", "answer", id, *values, "--db", database, "--json")
    assert told.json["variables"]["letter"] == "We pay 4 francs to Ada Byron on Monday, and not later."


def test_an_answer_is_bound_to_what_was_seen(tmp_path: Path) -> None:
    database, result = asked(tmp_path)
    id, seen = result.waiting[0]["id"], result.interventions[0]["shown_hash"]
    assert f"shows {seen[:8]}" in command("inbox", "show", id, "--db", database).out
    approve = ("--decision", "approve", "--by", "li", "--db", database)
    for other in ("0" * 32, seen[:7]):
        refused = command("inbox", "answer", id, *approve, "--shown", other)
        assert (refused.code, f"the answer is to content {other}, but it shows {seen}" in refused.err) == (2, True)
    assert command("inbox", "answer", id, *approve, "--shown", seen[:8]).code == 0


def test_a_prepared_answer_is_bound_to_what_was_seen(tmp_path: Path) -> None:
    database, result = asked(tmp_path)
    answers = tmp_path / "answers.yaml"
    answers.write_text("- element: u\n  decision: approve\n  by: li\n  shown: '12345678'\n", encoding="utf-8")
    told = command("resume", result.instance, "--answers", str(answers), "--db", database)
    assert (told.code, "answers.yaml:1: " in told.err, "but it shows" in told.err) == (2, True, True)


def test_an_edit_goes_by_the_variables_that_are_shown(tmp_path: Path) -> None:
    outputs = (
        '<ioSpecification><dataOutput id="o" name="text"/><inputSet/><outputSet><dataOutputRefs>o</dataOutputRefs>'
        '</outputSet></ioSpecification><dataOutputAssociation><sourceRef>o</sourceRef><targetRef>d</targetRef>'
        "</dataOutputAssociation>"
    )
    source = model(
        '<dataObject id="d" name="letter"/>', start(), user("u", PREVIEW + outputs), end(), edges("s > u > e")
    )
    with open_governor(str(tmp_path / "governor.db")) as governor:
        result = governor.start(load(source, file="m.bpmn"), {"letter": OLD})
        result = governor.complete(result.waiting[0]["id"], {"text": NEW}, by="ann")
        result = governor.answer(result.waiting[0]["id"], "edit", by="li", values={"letter": {"hunks": [1]}})
        assert result.variables["letter"] == "We pay 40 francs to Ada on Monday, and not later."


def lowered(path: Path) -> tuple[Governor, RunResult]:
    """A question about a compression that lowers two entries."""
    governor = open_governor(str(path / "governor.db"))
    source = model(start(), user("u", TIGHT), end(), edges("s > u > e"))
    return governor, governor.start(load(source, file="m.bpmn"), {"x": LONG, "y": LONG[5:]})


def test_what_a_compression_lowers_is_approved_entry_by_entry(tmp_path: Path) -> None:
    governor, result = lowered(tmp_path)
    (asks,) = result.waiting
    shown = result.interventions[0]["shown"]
    assert sorted(shown["lowered"]) == ["WORKING/x", "WORKING/y"]
    with pytest.raises(UnknownKept, match="nonsense cannot be kept; keep allows"):
        governor.answer(asks["id"], "approve", by="li", values={"keep": ["nonsense"]})
    result = governor.answer(asks["id"], "approve", by="li", values={"keep": ["x"]})
    head = next(iter(governor.heads(result.instance).values()))
    contents = governor.graph(result.instance).contents(head)
    assert contents.item("WORKING/x").fidelity is Fidelity.FULL
    assert contents.item("WORKING/y").fidelity < Fidelity.FULL
    governor.close()
