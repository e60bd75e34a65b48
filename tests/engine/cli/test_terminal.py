"""A person at a terminal: forms, decisions, colours."""

from __future__ import annotations

from itertools import takewhile

from tests.engine.cli.command import governor
from tests.engine.cli.files import OUTAGE_ANSWERS, STEPS, Folder
from tests.engine.cli.terminal import Terminal, on_screen

CTRL_C, CTRL_D = "\x03", "\x04"


def test_a_person_decides_and_does_the_task(folder: Folder) -> None:
    with Terminal(*folder.outage()) as terminal:
        shown = terminal.until("decide: [r]esolve, [d]eny, [l]ater: ")
        assert "branches disagree about severity at " in shown
        assert '"high"' in shown
        assert '"medium"' in shown
        terminal.type("r")
        terminal.until('severity: 1 "medium", 2 "high", or [o]ther, [r]emove: ')
        terminal.type("2")
        terminal.until("reason (optional): ")
        terminal.type("the logs say so")
        shown = terminal.until("approved (yes or no): ")
        assert "Shall the fix go out now?" in shown
        assert "cause: the billing service times out" in shown
        terminal.type("perhaps")
        terminal.until("perhaps is neither yes nor no.")
        terminal.until("approved (yes or no): ")
        terminal.type("yes")
        terminal.until("minutes (a whole number, optional): ")
        terminal.type("")
        assert terminal.end() == 0
        assert "answer    resolve by maria: the logs say so" in terminal.text
        assert "Outage review completed" in terminal.text
    result = governor("show", instance_of(folder), "--db", folder.db, "--json").json
    assert (result["variables"]["severity"], result["variables"]["fixed"]) == ("high", True)
    assert "minutes" not in result["variables"]


def test_what_is_left_for_later_waits(folder: Folder) -> None:
    with Terminal(*folder.outage()) as terminal:
        terminal.until("decide: ")
        terminal.type("later")
        assert terminal.end() == 3
        assert "governor resume" in terminal.text


def test_the_end_of_input_leaves_the_rest_for_later(folder: Folder) -> None:
    with Terminal(*folder.outage()) as terminal:
        terminal.until("decide: ")
        terminal.key(CTRL_D)
        assert terminal.end() == 3
    with Terminal("resume", instance_of(folder), "--db", folder.db) as terminal:
        terminal.until("decide: ")
        terminal.key(CTRL_D)
        assert terminal.end() == 3


def test_an_interrupt_at_a_question_loses_nothing(folder: Folder) -> None:
    with Terminal(*folder.outage()) as terminal:
        terminal.until("decide: ")
        instance = instance_of(folder)
        terminal.key(CTRL_C)
        assert terminal.end() == 130
        assert f"interrupted; go on with: governor resume {instance}" in terminal.text
        assert "Traceback" not in terminal.text
    answers = folder.put("answers.yaml", OUTAGE_ANSWERS)
    assert governor("resume", instance, "--answers", answers, "--db", folder.db).code == 0


def test_the_name_is_asked_for_where_it_is_unknown(folder: Folder) -> None:
    with Terminal(*folder.outage(), USER="") as terminal:
        terminal.until("your name: ")
        terminal.type("ada")
        terminal.until("decide: ")
        terminal.type("d")
        terminal.until("reason: ")
        terminal.type("")
        terminal.until("who is turned down wants to know why.")
        terminal.type("not now")
        assert terminal.end() == 1
        assert "answer    deny by ada: not now" in terminal.text


def test_one_question_of_the_inbox_is_asked_without_options(folder: Folder) -> None:
    instance = governor(*folder.outage(), "--json").json["instance"]
    with Terminal("inbox", "answer", f"{instance}-1", "--db", folder.db) as terminal:
        terminal.until("decide: ")
        terminal.type("resolve")
        terminal.until("[r]emove: ")
        terminal.type("other")
        terminal.until("value (JSON or text): ")
        terminal.type("low")
        terminal.until("reason (optional): ")
        terminal.type("")
        assert terminal.end() == 3
        assert "Approve the fix: a task for anybody" in terminal.text


def test_json_asks_nobody(folder: Folder) -> None:
    with Terminal(*folder.outage(), "--json") as terminal:
        assert terminal.end() == 3
        assert terminal.text.startswith("{")


def test_colours_are_for_terminals_that_have_them(folder: Folder) -> None:
    file = folder.put("steps.bpmn", STEPS)
    with Terminal("run", file, "--db", folder.db) as terminal:
        assert terminal.end() == 0
        assert "\x1b[" in terminal.raw
    with Terminal("run", file, "--db", folder.db, TERM="dumb") as terminal:
        assert terminal.end() == 0
        assert "\x1b[" not in terminal.raw


def test_long_lines_are_wrapped_under_themselves(folder: Folder) -> None:
    answers = folder.put("answers.yaml", OUTAGE_ANSWERS)
    with Terminal(*folder.outage(), "--answers", answers, columns=60) as terminal:
        assert terminal.end() == 0
        lines = on_screen(terminal, columns=60)
        progress = list(takewhile(lambda line: not line.startswith("Outage review completed"), lines))
        assert all(len(line) <= 60 for line in progress)
        assert any(line.startswith(" " * 12) and "SUMMARY" in line for line in progress)


def instance_of(folder: Folder) -> str:
    """The instance of the folder's database."""
    return str(governor("instances", "--db", folder.db, "--json").json["instances"][0]["id"])
